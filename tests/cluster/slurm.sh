#!/bin/sh
# Starts a Slurm of one node, runs an array of parts of a simulation under it, merges them, and compares with the run in
# one piece. Not run with the other tests: it wants root, and munge, slurmctld, slurmd and slurm-client from Debian.
#
#   OLDSOW=build/oldsow tests/cluster/slurm.sh
#
# Everything Slurm writes is in a folder that is removed at the end; the daemons run only as long as the test. A Slurm
# or munge that runs already is left alone, and the test refuses to start.

OLDSOW=$(realpath "${OLDSOW:-build/oldsow}")
parts=6
root=$PWD
[ "$(id -u)" -eq 0 ] || { echo 'slurm: to be run by root'; exit 2; }
for tool in munged slurmctld slurmd sbatch squeue; do
    command -v $tool >/dev/null || { echo "slurm: $tool is missing"; exit 2; }
done
if pgrep -x munged >/dev/null || pgrep -x slurmctld >/dev/null || pgrep -x slurmd >/dev/null; then
    echo 'slurm: munge or Slurm runs already'
    exit 2
fi

scratch=$(mktemp -d) || exit 2
chmod 755 "$scratch"
daemons=
# Ends what this script started, by the numbers it noted.
finish() {
    for pid in $daemons; do kill "$pid" 2>/dev/null; done
    for pid in $daemons; do wait "$pid" 2>/dev/null; done
    rm -rf "$scratch"
}
trap finish EXIT
trap 'exit 1' INT TERM

# ---- munge, with a key of its own

mkdir -m 700 "$scratch/munge"
dd if=/dev/urandom of="$scratch/munge/key" bs=1024 count=1 2>/dev/null
chmod 600 "$scratch/munge/key"
mkdir -m 755 "$scratch/socket"
munged --force --foreground --key-file "$scratch/munge/key" --socket "$scratch/socket/munge" \
    --pid-file "$scratch/socket/pid" --seed-file "$scratch/munge/seed" --log-file "$scratch/munge/log" &
daemons="$daemons $!"

# ---- Slurm: a controller and a node, both this machine

host=$(hostname -s)
mkdir "$scratch/state" "$scratch/spool" "$scratch/work"
cat >"$scratch/slurm.conf" <<EOF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=16817
SlurmdPort=16818
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$scratch/socket/munge
CredType=cred/munge
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/builtin
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
JobCompType=jobcomp/none
MpiDefault=none
ReturnToService=2
StateSaveLocation=$scratch/state
SlurmdSpoolDir=$scratch/spool
SlurmctldPidFile=$scratch/slurmctld.pid
SlurmdPidFile=$scratch/slurmd.pid
SlurmctldLogFile=$scratch/slurmctld.log
SlurmdLogFile=$scratch/slurmd.log
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
EOF
export SLURM_CONF="$scratch/slurm.conf"
slurmctld -D &
daemons="$daemons $!"
slurmd -D &
daemons="$daemons $!"

# waits_for SECONDS COMMAND...: until the command succeeds.
waits_for() {
    left=$1
    shift
    until "$@" >/dev/null 2>&1; do
        left=$((left - 1))
        if [ $left -le 0 ]; then
            echo "FAIL slurm: waited too long for: $*"
            tail -n 20 "$scratch"/*.log
            exit 1
        fi
        sleep 1
    done
}
node_is_up() { sinfo -h -o %T | grep -q -E '^(idle|mixed|allocated)$'; }
no_job_left() { [ -z "$(squeue -h)" ]; }
waits_for 60 node_is_up

# ---- the array

cat >"$scratch/job.sh" <<EOF
#!/bin/sh
#SBATCH --job-name=oldsow-test
#SBATCH --array=1-$parts
#SBATCH --cpus-per-task=1
#SBATCH --output=/dev/null
exec "$OLDSOW" simulate "$root/games/laomuzhu.sow" -n 300 --seed 7 --max-plies 400 --jobs 1 \
    --shard "\$SLURM_ARRAY_TASK_ID/$parts" --json > "part-\$SLURM_ARRAY_TASK_ID.json"
EOF
sbatch --chdir="$scratch/work" "$scratch/job.sh" || exit 1
waits_for 300 no_job_left

cd "$scratch/work" || exit 1
"$OLDSOW" merge part-*.json --json | grep -v '"seconds"' >merged || exit 1
"$OLDSOW" simulate "$root/games/laomuzhu.sow" -n 300 --seed 7 --max-plies 400 --json | grep -v '"seconds"' >whole
if [ -s whole ] && cmp -s merged whole; then
    echo "slurm: an array of $parts tasks comes to the same as one run"
else
    echo 'FAIL slurm: the array comes to something else'
    diff merged whole | head -n 5
    exit 1
fi
