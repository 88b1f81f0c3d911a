import type { SandboxLevel } from '../../../core/model/settings.ts'
import type { Mount } from '../../../core/sandbox/view.ts'
import { OWN_PROCESSES } from '../../../process/start/containment.ts'

/** Builds the options of bwrap for a level and a view of the file system; null shows everything as it is. */
export function bwrapOptions(level: SandboxLevel, view: readonly Mount[] | null): readonly string[] {
  if (view === null) return ['--dev-bind', '/', '/', ...NO_RIGHTS, ...OWN_PROCESSES]
  const isRoot = ({ path }: Mount): boolean => path === '/'
  const hidden = view.filter((mount) => mount.as === 'hidden').map(({ path }) => path)
  // Made read-only at the end: until then bwrap creates places for other mounts inside.
  const closed = [...hidden, ...(view.some(isRoot) ? [] : ['/'])]
  return [
    ...NAMESPACES,
    ...(level === 'strict' ? ['--disable-userns'] : []),
    ...NO_RIGHTS,
    ...view.filter(isRoot).flatMap(mountOptions),
    '--dev',
    '/dev',
    ...OWN_PROCESSES,
    ...(process.getuid?.() === 0 ? KERNEL_SETTINGS : []),
    ...view.filter((mount) => !isRoot(mount)).flatMap(mountOptions),
    ...closed.flatMap((path) => ['--remount-ro', path]),
  ]
}

const NAMESPACES = ['--unshare-user', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try', '--unshare-net']

// Without this, root keeps every capability.
const NO_RIGHTS = ['--cap-drop', 'ALL']

// Root may write them even without capabilities, and with them name programs that the kernel runs outside.
const KERNEL_SETTINGS = ['sys', 'sysrq-trigger', 'irq', 'bus', 'acpi', 'scsi', 'mtrr', 'dynamic_debug', 'fs', 'driver']
  .map((name) => `/proc/${name}`)
  .flatMap((path) => ['--ro-bind-try', path, path])

function mountOptions({ path, as }: Mount): readonly string[] {
  if (as === 'read') return ['--ro-bind-try', path, path]
  if (as === 'write') return ['--bind', path, path]
  return as === 'blank' ? ['--ro-bind', '/dev/null', path] : ['--tmpfs', path]
}
