# SPDX-License-Identifier: MIT
# Tests of ranks source this file, with mpirun in $mpirun. It goes to a folder for them, which it removes
# at the end, and sets Open MPI up for more ranks than cores, also as root.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMP_WAIT_POLICY=passive
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe # Open MPI 5

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work" || exit 1

# die WORDS...: fails, with the output of the last command.
die() {
    printf '%s: %s\n' "$(basename "$0" .sh)" "$*" >&2
    [ ! -f log ] || cat log >&2
    exit 1
}

# ranks COUNT COMMAND...: runs the command on so many ranks, for at most two minutes.
ranks() {
    count=$1
    shift
    timeout 120 "$mpirun" -n "$count" "$@"
}
