import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** What the kernel has told of processes. */
export interface Execs {
  /** When, after a moment, a process or one that came of it first became another program; null: it did not. */
  firstAfter(pid: number, at: number): number | null
}

/** Hears from the kernel which process makes which, and when each becomes another program, until it is asked for that; null where it does not tell us. */
export async function hearExecs(): Promise<(() => Promise<Execs>) | null> {
  const listener = spawn('python3', ['-c', LISTEN], { stdio: ['pipe', 'pipe', 'ignore'] })
  const lines: string[] = []
  listener.stdout.setEncoding('utf8').on('data', (some: string) => lines.push(some))
  const ended = once(listener, 'close').catch(() => null)
  await Promise.race([once(listener.stdout, 'data'), ended])
  if (lines.length === 0) return null
  return async () => {
    listener.stdin.end()
    await ended
    return execsFrom(lines.join('').trim().split('\n').slice(1))
  }
}

// The kernel notes the time, so it does not matter when somebody listens: seldom, to be in nobody's way.
const LISTEN = `
import os, select, socket, struct, sys
heard = socket.socket(socket.AF_NETLINK, socket.SOCK_DGRAM, 11)
heard.setsockopt(socket.SOL_SOCKET, 33, 1 << 24)
heard.bind((os.getpid(), 1))
heard.send(struct.pack('=IHHIIIIIIHHI', 40, 3, 0, 0, os.getpid(), 1, 1, 0, 0, 4, 0, 1))
heard.settimeout(1)
heard.recv(4096)
heard.setblocking(False)
print('ready', flush=True)
lines, FORK, EXEC = [], 1, 2
def take():
    while True:
        try:
            message = heard.recv(4096)
        except BlockingIOError:
            return
        what, _, time, pid, group, child, child_group = struct.unpack_from('=IIQIIII', message, 36)
        if what == FORK and child == child_group:
            lines.append(f'fork {group} {child}')
        if what == EXEC:
            lines.append(f'exec {pid} {time}')
while not select.select([sys.stdin], [], [], 0.5)[0]:
    take()
take()
print('\\n'.join(lines))
`

function execsFrom(lines: readonly string[]): Execs {
  const [made, execs] = [new Map<number, number[]>(), new Map<number, number[]>()]
  for (const line of lines) {
    const [kind, pid, other] = line.split(' ')
    const map = kind === 'fork' ? made : execs
    const value = kind === 'fork' ? Number(other) : Number(other) / 1_000_000 - startedAt
    map.set(Number(pid), [...(map.get(Number(pid)) ?? []), value])
  }
  const timesOf = (pid: number): readonly number[] => [
    ...(execs.get(pid) ?? []),
    ...(made.get(pid) ?? []).flatMap(timesOf),
  ]
  return {
    firstAfter(pid, at) {
      const first = Math.min(...timesOf(pid).filter((time) => time > at))
      return Number.isFinite(first) ? first : null
    },
  }
}

// The kernel's time at this process's zero. What is asked for the first time answers late.
performance.now()
const startedAt = Number(process.hrtime.bigint()) / 1_000_000 - performance.now()
