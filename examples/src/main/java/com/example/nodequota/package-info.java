/**
 * A controller of one's own kind: a NodeQuota is Ready as long as no more Nodes have a label than it allows. With its
 * condition and its webhook it is the model for a new controller; its folder has the CRD and the RBAC file too.
 */
@NullMarked
package com.example.nodequota;

import org.jspecify.annotations.NullMarked;
