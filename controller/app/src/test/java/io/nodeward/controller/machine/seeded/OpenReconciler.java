package io.nodeward.controller.machine.seeded;

/** Neither final nor package-private. */
public class OpenReconciler {}
