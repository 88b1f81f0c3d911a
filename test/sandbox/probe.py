"""Tries what a hostile program would try, and prints one line of JSON per try: what, outcome, detail.

Outcomes: "refused"; "harmless" when it worked and reached nothing outside; "ESCAPED". The bait is described by a JSON file:
folders of the user that hold a file .bait, secret files, a process, ports and sockets outside of the sandbox.
"""
import ctypes, errno, glob, json, os, signal, socket, stat, struct, subprocess, sys, tempfile

BAIT = json.load(open(sys.argv[1]))
MARK = "BAIT"
libc = ctypes.CDLL(None, use_errno=True)
TRIES = []


class Harmless(Exception):
    """The try worked, and nothing outside was reached."""


def tries(what):
    return lambda act: TRIES.append((what, act)) or act


def call(name, *args):
    """Calls a function of libc; raises OSError when it fails."""
    result = getattr(libc, name)(*args)
    if result == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def need(is_true, why):
    if not is_true:
        raise OSError(0, why)


def sees(path):
    try:
        return MARK in open(path, errors="replace").read(100_000)
    except OSError:
        return False


def secret(path):
    text = open(path, "rb").read(100_000)
    need(text.strip() != b"", "empty")
    return f"read {len(text)} bytes of {path}"


for name, path in BAIT["secrets"].items():
    tries(f"read {name}")(lambda path=path: secret(path))
for name, path in {"/etc/shadow": "/etc/shadow", "host keys": "/etc/ssh/ssh_host_ed25519_key"}.items():
    tries(f"read {name}")(lambda path=path: secret(path))


@tries("read the homes of other users")
def homes():
    seen = [p for home in ["/root", *glob.glob("/home/*")] if home != os.environ.get("HOME") for p in listing(home)]
    need(seen, "empty")
    return f"{len(seen)} entries, such as {seen[0]}"


def listing(folder):
    try:
        # Installed programs are shown on purpose.
        shown = tuple(os.path.realpath(p) for p in os.environ.get("PATH", "").split(":"))
        names = [os.path.join(folder, name) for name in os.listdir(folder)]
        return [p for p in names if not any(one == p or one.startswith(p + "/") for one in shown)]
    except OSError:
        return []


# Writing outside of the workspace.

def write_into(folder):
    path = os.path.join(folder, f"longhaul-probe-{os.urandom(6).hex()}")
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    if folder in BAIT["folders"].values():
        if not os.path.exists(os.path.join(folder, ".bait")):
            raise Harmless("goes to a private folder")
        return f"created {path}"
    os.unlink(path)
    return f"created {path}"


for name, folder in BAIT["folders"].items():
    tries(f"write to {name}")(lambda folder=folder: write_into(folder))
for folder in ["/", "/usr/bin", "/etc", "/var/lib", "/boot"]:
    tries(f"write to {folder}")(lambda folder=folder: write_into(folder))


@tries("change files of programs (ld.so.preload, cron, profile)")
def system_files():
    for path in ["/etc/profile", "/etc/passwd", "/etc/crontab", "/etc/ld.so.conf"]:
        if os.path.exists(path):
            os.close(os.open(path, os.O_WRONLY | os.O_APPEND))
            return f"opened {path} for writing"
    need(False, "none is there")


@tries("hard link to a file of the user")
def hard_link():
    os.link(next(iter(BAIT["secrets"].values())), "stolen")
    text = secret("stolen")
    os.unlink("stolen")
    return text


@tries("hard link to an object of the repository")
def object_link():
    found = [p for p in glob.glob(BAIT["objects"] + "/*/*") if os.path.isfile(p)]
    need(found, "no object is visible")
    os.link(found[0], "stolen-object")
    os.unlink("stolen-object")
    return f"linked {found[0]}"


@tries("change an object of the repository")
def object_write():
    found = [p for p in glob.glob(BAIT["objects"] + "/*/*") if os.path.isfile(p)]
    need(found, "no object is visible")
    os.chmod(found[0], 0o600)
    return f"changed the mode of {found[0]}"


@tries("swap a folder for a link while it is written to")
def link_race():
    target = next(iter(BAIT["folders"].values()))
    os.makedirs("race/real", exist_ok=True)
    os.symlink(target, "race/link")
    for turn in range(200):
        os.rename("race/real", "race/tmp"); os.rename("race/link", "race/real"); os.rename("race/tmp", "race/link")
        try:
            open(f"race/real/longhaul-race-{turn}", "w").close()
        except OSError:
            pass
    subprocess.run(["rm", "-rf", "race"])
    if not os.path.exists(os.path.join(target, ".bait")):
        raise Harmless("the link leads to a private or hidden folder")
    return "wrote through the link"


@tries("climb out by .. from an open folder")
def climb():
    fd = os.open(".", os.O_RDONLY)
    for _ in range(40):
        up = os.open("..", os.O_RDONLY, dir_fd=fd); os.close(fd); fd = up
        path = os.path.relpath(next(iter(BAIT["secrets"].values())), "/")
        try:
            os.close(os.open(path, os.O_RDONLY, dir_fd=fd))
            return "reached the user's files"
        except OSError:
            pass
    need(False, "every parent shows the view of the sandbox")


@tries("inherited file descriptors")
def descriptors():
    open_here = {fd: os.readlink(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd") if os.path.lexists(f"/proc/self/fd/{fd}")}
    outside = {fd: to for fd, to in open_here.items() if int(fd) > 2 and not to.startswith((f"/proc/{os.getpid()}", "/dev/null", "/proc/self"))}
    own = [to for to in outside.values() if to.startswith((os.getcwd(), "pipe:"))]
    need(len(outside) > len(own), "none, or pipes only")
    return json.dumps(outside)


# Other processes.

def processes():
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def bait_pid():
    for pid in processes():
        try:
            if BAIT["processName"] in open(f"/proc/{pid}/cmdline").read() and pid not in ancestors():
                return pid
        except OSError:
            pass
    raise OSError(0, "no process outside is visible")


def ancestors():
    found, pid = set(), os.getpid()
    while pid > 0 and pid not in found:
        found.add(pid)
        pid = int(open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[1])
    return found


@tries("read the environment of other processes")
def environs():
    for pid in processes():
        if sees(f"/proc/{pid}/environ"):
            return f"read that of {pid}"
    need(False, "no process outside is visible")


@tries("files through /proc/PID/root, cwd and fd")
def through_proc():
    path = next(iter(BAIT["secrets"].values()))
    for pid in processes():
        for way in [f"/proc/{pid}/root{path}", f"/proc/{pid}/cwd/.bait", *glob.glob(f"/proc/{pid}/fd/*")[:50]]:
            if stat.S_ISREG(mode_of(way)) and sees(way):
                return f"read {way}"
    need(False, "nothing outside is visible")


def mode_of(path):
    try:
        return os.stat(path).st_mode
    except OSError:
        return 0


@tries("signal a process outside")
def signals():
    for pid in {BAIT["process"], *[p for p in range(BAIT["process"] - 3, BAIT["process"] + 3)]}:
        if pid > 1 and pid not in processes():
            try:
                os.kill(pid, 0)
                return f"may signal {pid}"
            except ProcessLookupError:
                pass
    os.kill(bait_pid(), signal.SIGUSR1)
    return "sent a signal"


PTRACE_ATTACH, PTRACE_DETACH = 16, 17


@tries("ptrace a process outside")
def ptrace():
    pid = bait_pid()
    call("ptrace", PTRACE_ATTACH, pid, 0, 0)
    os.waitpid(pid, 0)
    call("ptrace", PTRACE_DETACH, pid, 0, 0)
    return f"attached to {pid}"


@tries("ptrace the first process of the namespace")
def ptrace_first():
    call("ptrace", PTRACE_ATTACH, 1, 0, 0)
    os.waitpid(1, 0)
    call("ptrace", PTRACE_DETACH, 1, 0, 0)
    need(os.path.exists("/proc/1/root"), "gone")
    if sees("/proc/1/root" + next(iter(BAIT["secrets"].values()))):
        return "attached, and it sees the user's files"
    raise Harmless("attached; it is as shut in as the program")


@tries("enter namespaces of the first process")
def enter():
    for kind in ["mnt", "net", "pid", "user"]:
        mine, first = os.stat(f"/proc/self/ns/{kind}").st_ino, os.stat(f"/proc/1/ns/{kind}").st_ino
        if mine == first:
            continue
        call("setns", os.open(f"/proc/1/ns/{kind}", os.O_RDONLY), 0)
        return f"entered another {kind} namespace"
    need(False, "it has the same")


@tries("keys of the session in the kernel")
def keys():
    SYS_keyctl, SEARCH, READ, SESSION, USER = 250, 10, 11, -3, -4
    for ring in [SESSION, USER]:  # the second is that of the user namespace
        key = libc.syscall(SYS_keyctl, SEARCH, ring, b"user", b"longhaul-bait", 0)
        if key == -1:
            continue
        buffer = ctypes.create_string_buffer(100)
        if libc.syscall(SYS_keyctl, READ, key, buffer, 100, 0) > 0:
            return f"read {buffer.value!r}"
    need(False, "none is found")


# Network.

def connects(family, address, kind=socket.SOCK_STREAM):
    with socket.socket(family, kind) as one:
        one.settimeout(3)
        one.connect(address)
    return f"connected to {address}"


for name, port in BAIT["ports"].items():
    tries(f"connect to {name}")(lambda port=port: connects(socket.AF_INET, ("127.0.0.1", port)))
tries("connect to the machine's ::1")(lambda: connects(socket.AF_INET6, ("::1", next(iter(BAIT["ports"].values())))))
tries("connect to a public address")(lambda: connects(socket.AF_INET, ("1.1.1.1", 443)))
tries("connect to the metadata address")(lambda: connects(socket.AF_INET, ("169.254.169.254", 80)))
# Node pads the name.
tries("connect to an abstract socket")(lambda: connects(socket.AF_UNIX, ("\0" + BAIT["abstract"]).ljust(108, "\0")))
tries("connect to a socket of the user")(lambda: connects(socket.AF_UNIX, BAIT["socket"]))


@tries("connect to sockets of container runtimes, D-Bus, SSH agents, X11")
def runtime_sockets():
    names = ["/run/docker.sock", "/var/run/docker.sock", "/run/containerd/containerd.sock", "/run/podman/podman.sock"]
    names += ["/run/dbus/system_bus_socket", *glob.glob("/run/user/*/*"), *glob.glob("/tmp/.X11-unix/*")]
    names += [os.environ.get("SSH_AUTH_SOCK", "/nonexistent"), "\0/tmp/.X11-unix/X0"]
    for name in names:
        try:
            return connects(socket.AF_UNIX, name)
        except OSError:
            pass
    need(False, "none is there")


@tries("look up a name directly")
def dns():
    query = b"\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x07example\x03org\x00\x00\x01\x00\x01"
    servers = [l.split()[1] for l in open("/etc/resolv.conf") if l.startswith("nameserver")] if os.path.exists("/etc/resolv.conf") else []
    for server in [*servers, "8.8.8.8"]:
        with socket.socket(socket.AF_INET6 if ":" in server else socket.AF_INET, socket.SOCK_DGRAM) as one:
            one.settimeout(2)
            try:
                one.sendto(query, (server, 53))
            except OSError:
                continue
            try:
                one.recv(512)
            except OSError:
                pass
            return f"sent a question to {server}"
    need(False, "no server can be reached")


def through_proxy(target):
    proxy = os.environ.get("HTTP_PROXY", "")
    need(proxy.startswith("http://127.0.0.1:"), "there is no proxy")
    with socket.create_connection(("127.0.0.1", int(proxy.rsplit(":", 1)[1])), timeout=5) as one:
        one.sendall(f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n\r\n".encode())
        answer = one.recv(1000).decode(errors="replace").split("\r\n")[0]
    need(" 200" in answer[:13], answer[:80])
    return f"the proxy connected to {target}"


for name, target in {
    "a host that is not allowed": "example.com:443",
    "the metadata address": "169.254.169.254:80",
    "the machine's loopback": f"localhost:{next(iter(BAIT['ports'].values()))}",
    "an address in other notation": f"2130706433:{next(iter(BAIT['ports'].values()))}",
}.items():
    tries(f"reach {name} through the proxy")(lambda target=target: through_proxy(target))

tries("open a raw socket")(lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP) and "opened")
tries("open a packet socket")(lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0) and "opened")


@tries("reach the hypervisor (vsock)")
def vsock():
    with socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM) as one:
        one.settimeout(2)
        try:
            one.connect((2, 1))
        except OSError as error:
            need(error.errno in (errno.ECONNRESET, errno.ECONNREFUSED, errno.ETIMEDOUT), str(error))
    return "the hypervisor answered"


# Rights.

MS_BIND, MS_REMOUNT, MS_REC, MNT_DETACH = 4096, 32, 16384, 2
NEWNS, NEWUSER, NEWPID, NEWNET = 0x20000, 0x10000000, 0x20000000, 0x40000000


@tries("mount a file system")
def mount():
    os.makedirs("/tmp/probe-mount", exist_ok=True)
    call("mount", b"none", b"/tmp/probe-mount", b"tmpfs", 0, None)
    call("umount2", b"/tmp/probe-mount", MNT_DETACH)
    return "mounted"


@tries("make the root writable")
def remount():
    call("mount", b"none", b"/", None, MS_REMOUNT | MS_BIND, None)
    return write_into("/usr")


@tries("uncover what a mount hides")
def uncover():
    for folder in hidden_folders():
        try:
            call("umount2", folder.encode(), MNT_DETACH)
        except OSError:
            continue
        if any(sees(path) for path in BAIT["secrets"].values()):
            return f"uncovered {folder}"
    need(False, "refused for every mount")


def hidden_folders():
    points = [line.split()[4].replace("\\040", " ") for line in open("/proc/self/mountinfo")]
    return sorted(points, key=len, reverse=True)


def in_user_namespace(act):
    uid, gid = os.getuid(), os.getgid()
    call("unshare", NEWUSER | NEWNS)
    for name, text in {"setgroups": "deny", "uid_map": f"0 {uid} 1", "gid_map": f"0 {gid} 1"}.items():
        try:
            open(f"/proc/self/{name}", "w").write(text)
        except OSError:
            pass
    return act()


@tries("nested user namespace: mounts in it")
def nested():
    def act():
        os.makedirs("/tmp/probe-nested", exist_ok=True)
        call("mount", b"none", b"/tmp/probe-nested", b"tmpfs", 0, None)
        raise Harmless("has rights over its own mounts only")
    return in_user_namespace(act)


@tries("nested user namespace: uncover what a mount hides")
def nested_uncover():
    need(not any(sees(path) for path in BAIT["secrets"].values()), "nothing is hidden")
    return in_user_namespace(uncover)


@tries("nested user namespace: make the root writable")
def nested_remount():
    return in_user_namespace(remount)


@tries("nested user namespace: raw sockets to the outside")
def nested_raw():
    def act():
        call("unshare", NEWNET)
        socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0).close()
        connects(socket.AF_INET, ("127.0.0.1", next(iter(BAIT["ports"].values()))))
        return "reached the machine"
    return in_user_namespace(act)


@tries("nested user namespace: see other processes in a new /proc")
def nested_proc():
    def act():
        os.makedirs("/tmp/probe-proc", exist_ok=True)
        call("unshare", NEWPID)
        return in_child(look)

    def look():
        call("mount", b"proc", b"/tmp/probe-proc", b"proc", 0, None)
        for name in os.listdir("/tmp/probe-proc"):
            if name.isdigit() and sees(f"/tmp/probe-proc/{name}/environ"):
                return f"read the environment of {name}"
        raise Harmless("shows the processes of the new namespace")
    return in_user_namespace(act)


def in_child(act):
    outcome, detail = attempt(act)
    if outcome == "harmless":
        raise Harmless(detail)
    need(outcome == "ESCAPED", detail)
    return detail


@tries("leave a chroot")
def leave_chroot():
    def act():
        os.makedirs("/tmp/probe-root", exist_ok=True)
        fd = os.open("/", os.O_RDONLY)
        os.chroot("/tmp/probe-root")
        os.fchdir(fd)
        for _ in range(40):
            os.chdir("..")
        os.chroot(".")
        need(any(sees(path) for path in BAIT["secrets"].values()), "the root is still that of the sandbox")
        return "reached the user's files"
    return in_user_namespace(act)


@tries("open files by handle")
def by_handle():
    SYS_open_by_handle_at = 304
    handle = ctypes.create_string_buffer(struct.pack("Ii", 8, 1) + struct.pack("II", 2, 0))
    mount_fd = os.open("/", os.O_RDONLY)
    fd = libc.syscall(SYS_open_by_handle_at, mount_fd, handle, os.O_RDONLY)
    if fd == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return "opened"


@tries("gain rights by setuid programs")
def setuid():
    status = open("/proc/self/status").read()
    if "NoNewPrivs:\t1" in status:
        need(False, "no new privileges")
    return "setuid programs give rights"


@tries("capabilities")
def capabilities():
    lines = [line.split()[1] for line in open("/proc/self/status") if line.startswith(("CapEff", "CapPrm", "CapAmb"))]
    need(any(int(line, 16) for line in lines), "none")
    return f"has {lines}"


@tries("make device files")
def mknod():
    os.mknod("probe-device", 0o600 | stat.S_IFBLK, os.makedev(8, 0))
    os.unlink("probe-device")
    return "made one"


@tries("open devices (kvm, disks, memory, kernel log, fuse, loop)")
def devices():
    names = ["kvm", "mem", "port", "kmsg", "fuse", "loop-control", "net/tun", "uinput"]
    for path in [*[f"/dev/{name}" for name in names], *glob.glob("/dev/[svx]d[a-z]*"), *glob.glob("/dev/nvme*")]:
        try:
            os.close(os.open(path, os.O_RDWR | os.O_NONBLOCK))
            return f"opened {path}"
        except OSError:
            pass
    need(False, "none can be opened")


def opens_for_writing(paths):
    for path in paths:
        if os.path.exists(path):
            try:
                os.close(os.open(path, os.O_WRONLY))
                return f"opened {path} for writing"
            except OSError:
                pass
    need(False, "none can be opened")


@tries("write settings of the kernel (core_pattern)")
def core_pattern():
    text = open("/proc/sys/kernel/core_pattern").read()
    open("/proc/sys/kernel/core_pattern", "w").write(text)
    return "can name a program that the kernel runs as root"


tries("write to other files of /proc (sysrq, irq, bus)")(
    lambda: opens_for_writing(
        ["/proc/sysrq-trigger", "/proc/sys/kernel/modprobe", "/proc/sys/vm/drop_caches", "/proc/sys/net/ipv4/ip_forward"]
        + ["/proc/sys/fs/binfmt_misc/register", "/proc/acpi/wakeup", "/proc/mtrr", "/proc/dynamic_debug/control"]
        + [*glob.glob("/proc/irq/*/smp_affinity"), *glob.glob("/proc/bus/pci/*/*"), "/proc/scsi/scsi"]
    )
)
tries("write to /sys")(
    lambda: opens_for_writing(
        ["/sys/kernel/uevent_helper", "/sys/power/state", "/sys/kernel/mm/transparent_hugepage/enabled", "/sys/kernel/profiling"]
    )
)


@tries("make a control group")
def cgroup():
    path = f"/sys/fs/cgroup/longhaul-probe-{os.getpid()}"
    os.mkdir(path)
    os.rmdir(path)
    return f"made {path}"


@tries("load programs and modules into the kernel (bpf, perf, kexec)")
def kernel():
    SYS_init_module, SYS_perf_event_open, SYS_bpf = 175, 298, 321
    attribute = ctypes.create_string_buffer(struct.pack("IIIIII", 2, 4, 4, 1, 0, 0), 128)
    if libc.syscall(SYS_bpf, 0, attribute, 72) != -1:
        return "made a bpf map"
    event = ctypes.create_string_buffer(struct.pack("IIQ", 1, 112, 0), 112)
    if libc.syscall(SYS_perf_event_open, event, -1, 0, -1, 0) != -1:
        return "watches the whole machine"
    if libc.syscall(SYS_init_module, b"", 0, b"") == -1 and ctypes.get_errno() in (errno.ENOEXEC, errno.EFAULT):
        return "may load modules"
    need(False, "all refused")


@tries("type into the user's terminal (TIOCSTI)")
def terminal():
    import fcntl
    for fd in [0, 1, 2, os.open("/dev/tty", os.O_RDWR)]:
        fcntl.ioctl(fd, 0x5412, b"x")
    return "typed"


@tries("set the clock or the host's name")
def clock():
    name = socket.gethostname()
    call("sethostname", name.encode(), len(name))
    return "set the name"


def attempt(act):
    """Runs a try in a process of its own, which may end in any way."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        signal.alarm(15)
        try:
            result = ["ESCAPED", act()]
        except Harmless as why:
            result = ["harmless", str(why)]
        except BaseException as why:
            result = ["refused", getattr(why, "strerror", None) or str(why) or type(why).__name__]
        os.write(writer, json.dumps(result).encode()[:4000])
        os._exit(0)
    os.close(writer)
    text = b"".join(iter(lambda: os.read(reader, 4096), b""))
    os.close(reader)
    os.waitpid(child, 0)
    return json.loads(text) if text else ["refused", "ended by a signal"]


# With capabilities, some tries would do harm to the machine.
for what, act in TRIES if attempt(capabilities)[0] != "ESCAPED" else [("capabilities", capabilities)]:
    outcome, detail = attempt(act)
    print(json.dumps({"what": what, "outcome": outcome, "detail": detail}), flush=True)
