package io.nodeward.core.cel;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.Immutable;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.StructType;
import java.util.Optional;

/** The one type that expressions know besides those of the language. */
@Immutable
record DeviceTypes(StructType device) implements CelTypeProvider {
    static final String DEVICE = "kubernetes.DRADevice";

    @Override
    public ImmutableCollection<CelType> types() {
        return ImmutableList.of(device);
    }

    @Override
    public Optional<CelType> findType(String name) {
        return name.equals(device.name()) ? Optional.of(device) : Optional.empty();
    }
}
