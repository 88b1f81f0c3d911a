import { approvalKey } from '../checks/approved-findings.ts'
import type { AskKind, PersonWait } from '../model/attempt.ts'
import type { Task } from '../model/task.ts'
import type { Finding } from '../model/verdict.ts'

/** Returns a wait for a person, with the question and the commands that answer it. */
export function askPerson(asks: AskKind, question: string, tasks: readonly Task[]): PersonWait {
  return { kind: 'person', asks, approvalPoint: null, allows: [], question, hint: hintFor(asks, tasks) }
}

/** Returns a wait for a person's approval before or in a phase, or before landing. */
export function askApproval(approvalPoint: string, question: string, tasks: readonly Task[]): PersonWait {
  return { ...askPerson('approval', question, tasks), approvalPoint }
}

/** Returns a wait for a person's approval of findings. */
export function askToAllow(approvalPoint: string, findings: readonly Finding[], tasks: readonly Task[]): PersonWait {
  const question = findings.map(({ message }) => message).join('; ')
  return { ...askApproval(approvalPoint, question, tasks), allows: findings.map(approvalKey) }
}

/** Returns a wait for a person's action outside of Longhaul. */
export function askToAct(question: string, hint: string): PersonWait {
  return { kind: 'person', asks: 'act', approvalPoint: null, allows: [], question, hint }
}

function hintFor(asks: AskKind, tasks: readonly Task[]): string {
  const command = (verb: string, text = '') => tasks.map(({ id }) => `"longhaul ${verb} ${id}${text}"`).join(' and ')
  const more = `${command('show', ' --dossier')} shows the details.`
  if (asks === 'approval') return `Run ${command('approve')} or ${command('reject', ' TEXT')}; ${more}`
  return `Run ${command('answer', ' TEXT')}, or resolve it yourself and run ${command('retry')}; ${more}`
}

/** Returns a hint: an action, then the command that resumes the work. */
export function retryHint(act: string, tasks: readonly Task[]): string {
  return `${act}, then run ${tasks.map(({ id }) => `"longhaul retry ${id}"`).join(' and ')}.`
}
