// Package controllers stands in for sigs.k8s.io/mcs-api/controllers, which the module proxy refuses. Cilium takes one name
// from it, for Services of several clusters, which the lab has none of.
package controllers

// DerivedServiceAnnotation names the Service that was made of a ServiceImport.
const DerivedServiceAnnotation = "multicluster.kubernetes.io/derived-service"
