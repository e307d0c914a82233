/** `R` is the command that is started. */
const lines = `
docker exec app R
docker exec -it app R
docker exec -it -u root -w /x app R
docker --context c exec app R
docker run --rm -v a:/b img R
docker run img sh -c 'R'
docker container exec app R
docker compose exec app R
docker compose -f x.yml run --rm app R
docker-compose exec app R
podman run img R
nerdctl exec app R
kubectl exec pod -- R
kubectl -n prod exec -it pod -c main -- R
oc exec pod -- R
lxc exec box -- R
incus exec box -- R
vagrant ssh -c 'R'
npx R
npx -y R
npx -p pkg R
npx --package=pkg -- R
npx -c 'R'
npx --call='R'
bunx R
pnpx R
uvx R
npm exec R
npm exec -- R
npm --prefix a exec -- R
npm x -c 'R'
pnpm exec R
pnpm dlx R
pnpm --filter a exec R
yarn exec R
yarn dlx R
bun x R
bun exec 'R'
uv run R
uv run --with a R
uv tool run R
pipx run R
poetry run R
pdm run R
pipenv run R
hatch run R
rye run R
pixi run R
conda run -n env R
mamba run -n env R
bundle exec R
composer exec R
mise exec -- R
mise x node@20 -- R
asdf exec R
rbenv exec R
pyenv exec R
nodenv exec R
volta run R
nvm exec 20 R
fnm exec --using 20 R
direnv exec . R
hyperfine 'R'
hyperfine -w 3 'ls' 'R'
hyperfine --prepare 'R' ls
hyperfine --prepare='R' ls
tmux new-session -d 'R'
tmux new -d -s x R
tmux send-keys -t x 'R' Enter
tmux run-shell 'R'
tmux split-window -h 'R'
screen -dmS x R
perf stat R
perf record -g -- R
perf stat -e cycles R
bwrap --unshare-all R
bwrap --chdir / R
entr R
ls | entr -r R
entr -s 'R'
nodemon --exec 'R'
nodemon -x 'R' a.js
concurrently 'ls' 'R'
cross-env A=1 R
cross-env-shell A=1 'R'
dotenv -e .env -- R
dotenvx run -- R
env-cmd -f .env R
doppler run -- R
doppler run --command 'R'
op run --env-file .env -- R
infisical run -- R
aws-vault exec prof -- R
chamber exec svc -- R
sops exec-env f.enc 'R'
watchexec -e ts R
chokidar '*.ts' -c 'R'
sg group -c 'R'
nix develop -c R
nix-shell --run 'R'
nix shell nixpkgs#hello -c R
flatpak-spawn --host R
toolbox run R
distrobox enter box -- R
git bisect run R
git submodule foreach 'R'
git submodule foreach --recursive R
git rebase -x 'R' main
git rebase --exec='R' main
git -C . rebase --exec 'R' main
git filter-branch --tree-filter 'R' HEAD
git difftool -x 'R'
tar -cf x.tar -I 'R' a
tar xf x.tar --to-command='R'
rsync -e 'R' a b
sort --compress-program='R' a
split --filter='R' a
rg --pre 'R' a
nc -e 'R' host 1
ncat --sh-exec 'R' host 1
man -P 'R' ls
ssh localhost R
ssh user@127.0.0.1 'R'
ssh root@127.0.10.12 R
ssh ::1 R
ssh -p 22 [::1] R
ssh -o ProxyCommand='R' host
ssh -oProxyCommand='R' host
ssh -o 'LocalCommand R' host
parallel R
parallel -j4 R ::: a b
parallel ::: 'R'
parallel R {} ::: a
sem R
watch R
watch -n 5 'R'
watch -x R
at now <<< 'R'
fish -c 'R'
fish --command='R'
csh -c 'R'
tcsh -c 'R'
pwsh -Command R
pwsh -c 'R'
nu -c 'R'
nu --commands 'R'
elvish -c 'R'
xonsh -c 'R'
osh -c 'R'
mksh -c 'R'
busybox ash -c 'R'
script -qc 'R' /dev/null
su -c 'R'
sudo -u x R
run0 R
gtimeout 5 R
genv A=1 R
gnice -n 5 R
gxargs R
gfind . -exec R ;
cpulimit -l 50 R
sshpass -p x R
proxychains4 R
strace -f R
ltrace R
valgrind R
gdb --args R
GIT_PAGER='R' git log
GIT_SSH_COMMAND='R' git fetch
EDITOR='R' git commit
export PAGER='R'; git log
env GIT_EDITOR='R' git commit
`

export const launchers: readonly string[] = lines
  .split("\n")
  .filter((text) => text !== "")
  .map((line) => line.replace(/\bR\b/, "rm x").replace(/ ;$/, " \\;"))
