import type { ProcessEntry, ProcessKey } from './process-table.ts'

/** Evidence of which processes belong to a tree. */
export interface TreeSigns {
  readonly table: ReadonlyMap<number, ProcessEntry>
  /** Processes known to belong to it, living or dead. */
  readonly roots: readonly ProcessKey[]
  /** Pids with their working folder in the workspace. */
  readonly inside: readonly number[]
  /** Pid of the asking process, which is spared with its ancestors. */
  readonly self: number
}

/** Lists a tree's living processes, oldest first: roots, their sessions, those in its folder, all descendants. */
export function treeMembers({ table, roots, inside, self }: TreeSigns): readonly ProcessEntry[] {
  const spared = selfAndAncestors(self, table)
  const startTimes = new Map(roots.map((root) => [root.pid, root.startTime]))
  const here = new Set(inside)
  // A person may have a shell open in the folder; processes of ours never have a terminal.
  const isFirst = (entry: ProcessEntry): boolean =>
    isRooted(entry, startTimes, table) || (here.has(entry.pid) && !entry.hasTerminal)
  const first = [...table.values()].filter((entry) => !spared.has(entry.pid) && isFirst(entry))
  return withDescendants(first, childrenByParent(table), spared).sort(oldestFirst)
}

function selfAndAncestors(self: number, table: TreeSigns['table']): ReadonlySet<number> {
  const spared = new Set([1])
  for (let entry = table.get(self); entry !== undefined && !spared.has(entry.pid); entry = table.get(entry.ppid)) {
    spared.add(entry.pid)
  }
  return spared
}

// A detached root leads its session and group, whose number is not reused while any process is left in them.
function isRooted(entry: ProcessEntry, startTimes: ReadonlyMap<number, number>, table: TreeSigns['table']): boolean {
  return [entry.pid, entry.session, entry.group].some((leader) => {
    const startTime = startTimes.get(leader)
    if (startTime === undefined || entry.startTime < startTime) return false
    return (table.get(leader)?.startTime ?? startTime) === startTime
  })
}

/** True when a process was started below one of the roots, although it may have left its parent or its session. */
export function descendsFrom({ self, roots, table }: Omit<TreeSigns, 'inside'>): boolean {
  const startTimes = new Map(roots.map((root) => [root.pid, root.startTime]))
  return kinOf(self, table).some((entry) => isRooted(entry, startTimes, table))
}

/** Lists a living process with its ancestors, the leaders of their sessions and groups, and so on. */
export function kinOf(pid: number, table: TreeSigns['table']): readonly ProcessEntry[] {
  const kin = new Set<ProcessEntry>()
  const open = [pid]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const entry = table.get(next)
    if (entry === undefined || kin.has(entry)) continue
    kin.add(entry)
    open.push(entry.ppid, entry.session, entry.group)
  }
  return [...kin]
}

function childrenByParent(table: TreeSigns['table']): ReadonlyMap<number, readonly ProcessEntry[]> {
  const children = new Map<number, ProcessEntry[]>()
  for (const entry of table.values()) {
    const siblings = children.get(entry.ppid)
    if (siblings === undefined) children.set(entry.ppid, [entry])
    else siblings.push(entry)
  }
  return children
}

function withDescendants(
  first: readonly ProcessEntry[],
  children: ReadonlyMap<number, readonly ProcessEntry[]>,
  spared: ReadonlySet<number>,
): ProcessEntry[] {
  const members = new Map<number, ProcessEntry>()
  const open = [...first]
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    if (members.has(entry.pid) || spared.has(entry.pid)) continue
    members.set(entry.pid, entry)
    open.push(...(children.get(entry.pid) ?? []))
  }
  return [...members.values()]
}

// Parents before children, so that an agent gets its signal before it can react to the end of its tool.
function oldestFirst(a: ProcessEntry, b: ProcessEntry): number {
  return a.startTime - b.startTime || a.pid - b.pid
}
