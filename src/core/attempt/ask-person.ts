import { approvalKey } from '../checks/approved-findings.ts'
import type { AskKind, PersonWait } from '../model/attempt.ts'
import type { Task } from '../model/task.ts'
import type { Finding } from '../model/verdict.ts'

/** A wait for a person: what they are asked, and the words with which they answer. */
export function askPerson(asks: AskKind, question: string, tasks: readonly Task[]): PersonWait {
  return { kind: 'person', asks, gate: null, allows: [], question, hint: hintFor(asks, tasks) }
}

/** A wait for a person's yes to what comes behind a gate. */
export function askApproval(gate: string, question: string, tasks: readonly Task[]): PersonWait {
  return { ...askPerson('approval', question, tasks), gate }
}

/** A wait for a person's yes to findings that may stay as they are when they say so. */
export function askToAllow(gate: string, findings: readonly Finding[], tasks: readonly Task[]): PersonWait {
  const question = findings.map(({ message }) => message).join('; ')
  return { ...askApproval(gate, question, tasks), allows: findings.map(approvalKey) }
}

/** A wait for a person who settles something outside. */
export function askToAct(question: string, hint: string): PersonWait {
  return { kind: 'person', asks: 'act', gate: null, allows: [], question, hint }
}

function hintFor(asks: AskKind, tasks: readonly Task[]): string {
  const say = (verb: string, text = '') => tasks.map(({ id }) => `"longhaul ${verb} ${id}${text}"`).join(' and ')
  const more = `${say('show', ' --dossier')} tells what led here.`
  if (asks === 'approval') return `Run ${say('approve')}, or ${say('reject', ' TEXT')}; ${more}`
  return `Answer with ${say('answer', ' TEXT')}, or settle it yourself and run ${say('retry')}; ${more}`
}

/** What a person does about work that waits for them, and how it then goes on. */
export function retryHint(act: string, tasks: readonly Task[]): string {
  return `${act}, then run ${tasks.map(({ id }) => `"longhaul retry ${id}"`).join(' and ')}.`
}
