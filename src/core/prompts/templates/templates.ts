import { DECIDE } from './decide.ts'
import { DOCUMENT } from './document.ts'
import { IMPLEMENT } from './implement.ts'
import { PLAN } from './plan.ts'
import { QA } from './qa.ts'
import { REVIEW } from './review.ts'
import { RULES } from './rules.ts'
import { SPEC } from './spec.ts'
import { TASK } from './task.ts'
import { WORK } from './work.ts'

/** The prompts that ship, by name: what every session begins with, the task, and what each phase asks for. */
export const TEMPLATES: Readonly<Record<string, string>> = {
  rules: RULES,
  task: TASK,
  plan: PLAN,
  spec: SPEC,
  implement: IMPLEMENT,
  review: REVIEW,
  decide: DECIDE,
  qa: QA,
  document: DOCUMENT,
  work: WORK,
}

/** What templates may say; every one is always given, and empty where there is nothing to say. */
export const VARIABLES = [
  'task_id',
  'title',
  'brief',
  'acceptance',
  'verify',
  'phase',
  'weight',
  'round',
  'attempt',
  'base',
  'commit',
  'milestone',
  'retry_brief',
  'prior_outputs',
  'knowledge',
  'last_results',
  'review',
  'writes',
  'progress_file',
  'work_file',
  'ui_test',
  'screenshots',
  'browser_profile',
] as const
export type Variable = (typeof VARIABLES)[number]
