/** What is made of the samples of a run: ratios, goals met or not, tables, plots and files. */
@NullMarked
package io.nodeward.e2e.bench.report;

import org.jspecify.annotations.NullMarked;
