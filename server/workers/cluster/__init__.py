"""Games and searches on a Dask cluster, for whoever has more than one machine."""
