import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type ListenOptions, type Server } from 'node:net'
import { dirname, join } from 'node:path'
import type { Journey } from '../journeys/journey.ts'

/** Things outside of the sandbox that the probe tries to reach. */
export interface Bait {
  /** Description for the probe. */
  readonly described: {
    /** Files of the user that it tries to read. */
    readonly secrets: Readonly<Record<string, string>>
    /** Folders of the user that it tries to write; each has a file `.bait`. */
    readonly folders: Readonly<Record<string, string>>
    readonly objects: string
    readonly process: number
    readonly processName: string
    readonly ports: Readonly<Record<string, number>>
    readonly abstract: string
    readonly socket: string
  }
  /** File that appears when the process outside gets a signal. */
  readonly marker: string
  close(): Promise<void>
}

const SECRET = 'BAIT: a secret of the user\n'
const PROCESS_NAME = 'longhaul-bait-process'

/** Lays out secrets, a process, ports and sockets. */
export async function layBait({ folder, repository, env }: Journey): Promise<Bait> {
  const home = env.HOME ?? ''
  const workspaces = join(env.XDG_STATE_HOME ?? '', 'longhaul', 'other', 'other-a1')
  const secrets = {
    '~/.ssh': join(home, '.ssh/id_ed25519'),
    '~/.aws': join(home, '.aws/credentials'),
    '~/.claude': join(home, '.claude/.credentials.json'),
    '~/.npmrc': join(home, '.npmrc'),
    '~/.config/gh': join(home, '.config/gh/hosts.yml'),
    'ignored files of the checkout (.env)': join(repository, '.env'),
    'another project': join(folder, 'other project/secret.txt'),
    'another workspace': join(workspaces, 'tree/secret.txt'),
  }
  for (const path of Object.values(secrets)) writeSecret(path)
  const folders = {
    'the home': home,
    'the checkout': repository,
    'the git folder': join(repository, '.git'),
    'the hooks of the git folder': join(repository, '.git/hooks'),
    'the objects of the git folder': join(repository, '.git/objects'),
    'the folder of the state': join(repository, '.git/longhaul'),
    'the folder of all workspaces': dirname(dirname(workspaces)),
    'another project': join(folder, 'other project'),
  }
  for (const path of Object.values(folders)) writeSecret(join(path, '.bait'))
  const marker = join(folder, 'signalled')
  const outside = spawn(process.execPath, ['-e', OUTSIDE, PROCESS_NAME, marker], {
    env: { SECRET },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await once(outside.stdout, 'data')
  const abstract = `longhaul-bait-${process.pid}-${Date.now()}`
  const socket = join(folder, 'run/daemon.sock')
  mkdirSync(dirname(socket))
  const servers = await Promise.all([
    listen({ port: 0, host: '127.0.0.1' }),
    listen({ path: `\0${abstract}` }),
    listen({ path: socket }),
  ])
  const port = (servers[0].address() as AddressInfo).port
  return {
    described: {
      secrets: { ...secrets, 'the state': join(repository, '.git/longhaul/state.db') },
      folders,
      objects: join(repository, '.git/objects'),
      process: outside.pid ?? 0,
      processName: PROCESS_NAME,
      ports: { "a port of the machine's loopback": port },
      abstract,
      socket,
    },
    marker,
    async close() {
      outside.kill('SIGKILL')
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
    },
  }
}

const OUTSIDE = `
process.on('SIGUSR1', () => require('node:fs').writeFileSync(process.argv[2], ''))
setInterval(() => {}, 1_000_000)
console.log('ready')
`

async function listen(place: ListenOptions): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.end('BAIT')
  })
  server.listen(place)
  await once(server, 'listening')
  return server
}

function writeSecret(path: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, SECRET)
}
