import type { Task } from '../model/task.ts'

/** What a person does about work that waits for them, and how it then goes on. */
export function thenRetry(act: string, tasks: readonly Task[]): string {
  return `${act}, then run ${tasks.map(({ id }) => `"longhaul retry ${id}"`).join(' and ')}.`
}
