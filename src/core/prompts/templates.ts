import { CLAIM_TAGS } from '../phases/read-report.ts'

/** Answer format of a reviewer's first round, for agents that can only write text. */
export const REVIEW_FORM = `Report your findings with the answer form if you have one, or else with the review tool if you have it. Otherwise end your answer with one JSON object in a code block, followed only by the tag:

{"issues": [{"severity": "high", "file": "src/a.ts", "line": 12, "message": "what is wrong and what would be right"}], "questions": ["…"], "positives": ["…"]}

severity is high (must not land like this), medium (has to change) or low. file and line may be null. Use an empty list if there are no issues.`

/** Answer format of a reviewer's decision. */
export const DECISION_FORM = `Report your decision with the answer form if you have one, or else with the review tool if you have it. Otherwise end your answer with one JSON object in a code block, followed only by the tag:

{"decision": "pass", "reason": "one or two sentences", "issues": [{"severity": "medium", "file": "src/a.ts", "line": 12, "message": "what has to change"}]}

decision is pass (it may land), fail (the issues have to be fixed first) or needs-person (only a person can decide). A pass may leave no issue of severity high or medium.`

/** Answer format of a tester. */
export const QA_FORM = `Report the results with the answer form if you have one, or else with the QA tool if you have it. Otherwise end your answer with one JSON object in a code block, followed only by the tag:

{"tests": ["test/a.test.ts"], "ran": {"passed": 41, "failed": 0, "skipped": 1}, "coverage": 0.87, "documents": ["README.md"], "issues": [{"severity": "high", "file": "src/a.ts", "line": 12, "message": "what is wrong", "reproduction": "how to reproduce it"}]}

coverage may be null. Use an empty list if there are no issues.`

/** Built-in prompt templates by name: the rules, the task, and the instructions of each phase. */
export const TEMPLATES: Readonly<Record<string, string>> = {
  // Every session starts with these words. They are the same for all agents of a run, so that providers can cache them;
  // parts that depend on the role come last.
  rules: `You are working on one task of a larger plan, in a private clone of the repository. Work only inside this folder.

End your last answer with one of these tags to report the state of the work: ${CLAIM_TAGS.done} when you have done what was asked; ${CLAIM_TAGS.blocked} when you cannot continue without a person; ${CLAIM_TAGS.continue} when there is more to do and you are stopping for now. The tag is only a claim: our own checks decide.

If {{progress_file}} exists, read it first: it contains notes from earlier sessions on this task.{{#writes}} Keep short notes there about what is done and what comes next, for the sessions after you; the file is never committed. Commit or not, as you like: everything that git does not ignore is saved.{{/writes}}`,

  task: `# {{task_id}}: {{title}}

{{brief}}

{{#acceptance}}Accepted when:
{{acceptance}}{{/acceptance}}

{{#verify}}These commands must pass:
{{verify}}{{/verify}}

{{#already_green}}These of them already pass before your work, so they prove nothing by themselves; add tests that fail without it:
{{already_green}}{{/already_green}}

{{#protected}}Adding tests is welcome. Existing lines of these files are protected, so changing or removing them needs a person's approval:
{{protected}}{{/protected}}

{{milestone}}

{{#knowledge}}Lessons from earlier tasks that may matter here:
{{knowledge}}{{/knowledge}}

{{retry_brief}}

{{prior_outputs}}`,

  plan: `Plan this work before any code is written. Read the existing code, and do not change any files.

Answer with the plan: the parts of the work, in an order in which each part can be built and checked on its own; the files or folders that each part touches; what is decided now and what can wait; the risks. Stay within what the task asks for.`,

  spec: `Specify exactly what is to be built, before it is built. Read the code that it touches, and do not change any files.

Answer with the specification: what changes for users; the files and functions to change or add, with their signatures; the edge cases and what happens in each; the tests that will prove it. Where the brief leaves something open, decide it and say why. Write no more than is needed to build it.`,

  implement: `Do the task. Read the surrounding code before you change it, and follow its style. Add tests for what you build, and run the checks yourself before you report that it is done. Do not weaken a test or a check to make it pass: we detect that and send the work back.

{{#ui_test}}This project is also tested in a browser. Put screenshots into {{screenshots}}; use {{browser_profile}} as the browser's profile folder and pick a free port, because other agents are testing at the same time.
{{last_results}}{{/ui_test}}`,

  review: `Review this work with fresh eyes; another agent wrote it. Do not change any files. The work is everything between {{base}} and {{commit}}; {{work_file}} contains it as a diff.

Look for problems: behaviour that the task asks for and that is missing, behaviour that it does not ask for, cases that fail, tests that prove nothing, damage to existing code. Read the surrounding code, not only the changed lines, until you are sure. Do not decide yet.

${REVIEW_FORM}`,

  decide: `Now decide on the work you have reviewed. Go through your findings again: drop what is a matter of taste or turned out to be fine, and keep what has to change before this may land.

{{#review}}Your findings:
{{review}}{{/review}}

${DECISION_FORM}`,

  qa: `Test this work as its first user would; another agent wrote it. The work is everything between {{base}} and {{commit}}.

Write the missing tests, in the style of the existing ones: what the task asks for, edge cases, invalid input. Run them and the whole suite. Where the work is wrong, do not add a test that can only fail: report an issue that says how to reproduce it. Update the documents that describe what has changed.

{{#ui_test}}This project is also tested in a browser. Put screenshots into {{screenshots}}; use {{browser_profile}} as the browser's profile folder and pick a free port.
{{last_results}}{{/ui_test}}

${QA_FORM}`,

  document: `Update the documentation for this work: everything between {{base}} and {{commit}}. Change the places that already describe it (README, guides, comments that users see, a changelog if there is one); add a page only where nothing fits. Explain what it does for its users, with an example that works. Do not change behaviour.`,

  // Used for a phase without a template.
  work: `This is the phase "{{phase}}". Do what its name says, as far as this task needs it, and report when it is done.`,
}

/** Variables of the templates; all of them are always set, to an empty text where there is nothing to say. */
export const VARIABLES = [
  'task_id',
  'title',
  'brief',
  'acceptance',
  'verify',
  'already_green',
  'protected',
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
