import { createHash } from 'node:crypto'
import { parseShell } from '../../src/adapters/gates/parse-shell.ts'
import { type ComparedDefinition, compareDefinitions } from '../../src/core/definitions/compare-definitions.ts'
import { defineCheck, type FollowedCheck } from '../../src/core/definitions/define-check.ts'
import { Snapshot } from '../../src/core/definitions/snapshot.ts'

/** Files of a project by path; a text "-> x" stands for a link to x. */
export type ProjectFiles = Readonly<Record<string, string>>

/** Compares what a command is made of in two states of a project. */
export function compareProjects(command: string, before: ProjectFiles, after: ProjectFiles): ComparedDefinition {
  const [was, is] = [new Snapshot(ids(before)), new Snapshot(ids(after))]
  const compare = () => compareDefinitions(command, { before: was, after: is }, TOOLS)
  compare()
  while (was.wanted.length + is.wanted.length > 0) {
    was.learn(texts(before))
    is.learn(texts(after))
    compare()
  }
  return compare()
}

/** Follows a command through a project. */
export function followProject(command: string, files: ProjectFiles): FollowedCheck {
  const snapshot = new Snapshot(ids(files))
  defineCheck(command, snapshot, TOOLS)
  while (snapshot.wanted.length > 0) {
    snapshot.learn(texts(files))
    defineCheck(command, snapshot, TOOLS)
  }
  return defineCheck(command, snapshot, TOOLS)
}

function ids(files: ProjectFiles): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(files).map(([path, text]) => [path, text.startsWith(LINK) ? `link:${digest(text)}` : digest(text)]),
  )
}

function texts(files: ProjectFiles): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(files).map(([path, text]) => [path, text.startsWith(LINK) ? text.slice(LINK.length) : text]),
  )
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

const LINK = '-> '
const TOOLS = { parseShell, digest }
