package io.nodeward.core.runtime.controller;

import java.util.Optional;

/**
 * Why a part of a change is not made yet.
 *
 * @param until when to decide anew
 * @param lasting what is missing, for the owner's status; empty as long as that is not reported
 */
public record Withheld(Result.RequeueAfter until, Optional<String> lasting) {}
