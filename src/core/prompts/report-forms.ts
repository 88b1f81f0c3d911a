/** How a reviewer that can only write text tells what it found. */
export const REVIEW_FORM = `Tell what you found in the form for your answer if you are given one, or with the tool for reviews if you have it; else end your answer with one JSON object in a code block, and nothing after it but the tag:

{"issues": [{"severity": "high", "file": "src/a.ts", "line": 12, "message": "what is wrong, and what would be right"}], "questions": ["…"], "positives": ["…"]}

severity is high (must not land so), medium (has to change) or low. file and line may be null. No issues: an empty list.`

/** How it tells its decision. */
export const DECISION_FORM = `Tell your decision in the form for your answer if you are given one, or with the tool for reviews if you have it; else end your answer with one JSON object in a code block, and nothing after it but the tag:

{"decision": "pass", "reason": "one or two sentences", "issues": [{"severity": "medium", "file": "src/a.ts", "line": 12, "message": "what has to change"}]}

decision is pass (it may land), fail (the issues have to be mended first) or needs-person (only a person can say). With pass, no issue of severity high or medium may be left.`

/** How somebody who tests tells what they did and found. */
export const QA_FORM = `Tell the outcome in the form for your answer if you are given one, or with the tool for QA if you have it; else end your answer with one JSON object in a code block, and nothing after it but the tag:

{"tests": ["test/a.test.ts"], "ran": {"passed": 41, "failed": 0, "skipped": 1}, "coverage": 0.87, "documents": ["README.md"], "issues": [{"severity": "high", "file": "src/a.ts", "line": 12, "message": "what is wrong", "reproduction": "how to see it"}]}

coverage may be null. No issues: an empty list.`
