/** The task, as every phase is told of it. */
export const TASK = `# {{task_id}}: {{title}}

{{brief}}

{{#acceptance}}Accepted when:
{{acceptance}}{{/acceptance}}

{{#verify}}These commands must pass:
{{verify}}{{/verify}}

{{milestone}}

{{#knowledge}}What earlier tasks learned and may matter here:
{{knowledge}}{{/knowledge}}

{{retry_brief}}

{{prior_outputs}}`
