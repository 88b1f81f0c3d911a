import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { parseScript } from '../../../adapters/drivers/scripted/parse-script.ts'
import { isProblem } from '../../../core/model/problem.ts'
import { parseScenario } from '../../../lab/parse-scenario.ts'
import { demoScenario, demoScript } from './scenario.ts'
import { TASKS } from './tasks.ts'

const ids = TASKS.tasks.map(({ id }) => id)

test('the scenario can be read and has a rule for every task', () => {
  const scenario = parseScenario('scenario.yaml', stringify(demoScenario(), { lineWidth: 0 }))
  expect(isProblem(scenario) ? scenario.message : new Set(scenario.rules.map(({ task }) => task))).toEqual(
    new Set([null, ...ids]),
  )
})

test('the script of the scripted agent can be read and has a rule for every task', () => {
  const rules = parseScript('script.yaml', stringify(demoScript(), { lineWidth: 0 }))
  expect(isProblem(rules) ? rules.message : new Set(rules.map(({ task }) => task))).toEqual(new Set(ids))
})
