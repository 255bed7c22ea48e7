"""What works on this machine, each thing tried for real: what `dapwright doctor` tells."""
