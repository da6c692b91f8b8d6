#!/bin/sh
# Runs an experiment in a folder, or continues the run that is there: run-or-resume.sh EXPERIMENT FOLDER [FLAGS OF run...]
# For what starts a command again until it is done: systemd, containers, schedulers. A finished run is left as it is.
set -eu
experiment=${1:?name an experiment, and the folder of its run}
folder=${2:?name the folder of the run}
shift 2
if [ -e "$folder/manifest.json" ]; then
  exec ludoflow resume "$folder"
fi
exec ludoflow run "$experiment" --out "$folder" "$@"
