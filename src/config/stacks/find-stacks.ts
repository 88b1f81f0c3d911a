import { go } from './go.ts'
import { node } from './node.ts'
import { python } from './python.ts'
import { rust } from './rust.ts'
import { type Folder, STACK_NAMES, type Stack, type StackKind, type StackName } from './stack.ts'

const KINDS: Readonly<Record<StackName, StackKind>> = { node, python, go, rust }

/** Detects stacks from a repository's files, those at the root first; of each, only the outermost folder counts. */
export function findStacks(root: Folder): readonly Stack[] {
  return withOwnNames(STACK_NAMES.flatMap((name) => stacksOf(KINDS[name], root)).sort((a, b) => depth(a) - depth(b)))
}

/** Returns the names of all stacks that a repository's files show. */
export function stackNames(files: readonly string[]): readonly StackName[] {
  const names = new Set(files.map((file) => file.slice(file.lastIndexOf('/') + 1)))
  return STACK_NAMES.filter((name) => KINDS[name].marks.some((mark) => names.has(mark)))
}

/** Returns a stack's usual setup and gates, for a project without its files yet. */
export function usualStack(name: StackName): Stack {
  const kind = KINDS[name]
  return { name, folder: '', ...kind.needs(kind.usual) }
}

/** Makes gate names unique: with several stacks, each is prefixed with its folder, or else its stack. */
export function withOwnNames(stacks: readonly Stack[]): readonly Stack[] {
  const names = stacks.flatMap(({ gates }) => gates.map(({ name }) => name))
  if (new Set(names).size === names.length) return stacks
  return stacks.map((stack) => {
    const isAlone = stacks.every((other) => other === stack || other.folder !== stack.folder)
    const parts = [...stack.folder.split('/').filter(Boolean), ...(isAlone && stack.folder !== '' ? [] : [stack.name])]
    return { ...stack, gates: stack.gates.map((gate) => ({ ...gate, name: [...parts, gate.name].join('-') })) }
  })
}

function stacksOf(kind: StackKind, root: Folder): readonly Stack[] {
  const isMark = (file: string) => kind.marks.includes(file.slice(file.lastIndexOf('/') + 1))
  const folders = [...new Set(root.files.filter(isMark).map(folderOf))]
  const isOutermost = (folder: string) => !folders.some((other) => other !== folder && isInside(folder, other))
  return folders.filter(isOutermost).map((folder) => placed(kind, folder, root))
}

/** Adapts a stack's commands and globs to the root. */
function placed(kind: StackKind, folder: string, root: Folder): Stack {
  const { setup, gates } = kind.needs(inside(root, folder))
  if (folder === '') return { name: kind.name, folder, setup, gates }
  const inFolder = (command: string) => `cd ${quoted(folder)} && ${command}`
  return {
    name: kind.name,
    folder,
    setup: setup.map(inFolder),
    gates: gates.map(({ name, run, protect }) => {
      return { name, run: inFolder(run), protect: protect.map((glob) => `${folder}/${glob}`) }
    }),
  }
}

function inside(root: Folder, folder: string): Folder {
  if (folder === '') return root
  const below = root.files.filter((file) => file.startsWith(`${folder}/`))
  return { files: below.map((file) => file.slice(folder.length + 1)), text: (file) => root.text(`${folder}/${file}`) }
}

function folderOf(file: string): string {
  return file.slice(0, Math.max(0, file.lastIndexOf('/')))
}

function isInside(folder: string, other: string): boolean {
  return other === '' || folder.startsWith(`${other}/`)
}

function depth({ folder }: Stack): number {
  return folder === '' ? 0 : folder.split('/').length
}

function quoted(folder: string): string {
  return /^[\w./-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", `'\\''`)}'`
}
