package io.nodeward.e2e.backend;

import io.nodeward.core.spi.Backend;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterClassTemplateInvocationCallback;
import org.junit.jupiter.api.extension.BeforeClassTemplateInvocationCallback;
import org.junit.jupiter.api.extension.ClassTemplateInvocationContext;
import org.junit.jupiter.api.extension.ClassTemplateInvocationContextProvider;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Runs a class once with each backend there is. */
public final class EachBackend implements ClassTemplateInvocationContextProvider {
    private static final String USUAL = "fabric8";
    private static final AtomicReference<String> CURRENT = new AtomicReference<>(USUAL);

    /** Names of all backends on the class path, in order. */
    public static List<String> names() {
        return ServiceLoader.load(Backend.class).stream().map(p -> p.get().name()).sorted().toList();
    }

    /** The one this test runs with; the usual one in a class that is not {@link PerBackend}. */
    public static String current() {
        return CURRENT.get();
    }

    @Override
    public boolean supportsClassTemplate(ExtensionContext context) {
        return true;
    }

    @Override
    public Stream<? extends ClassTemplateInvocationContext> provideClassTemplateInvocationContexts(
            ExtensionContext context) {
        return names().stream().map(With::new);
    }

    private record With(String backend) implements ClassTemplateInvocationContext {
        @Override
        public String getDisplayName(int invocation) {
            return backend;
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            BeforeClassTemplateInvocationCallback before = context -> CURRENT.set(backend);
            AfterClassTemplateInvocationCallback after = context -> CURRENT.set(USUAL);
            return List.of(before, after);
        }
    }
}
