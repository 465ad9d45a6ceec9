import { type Problem, renderProblem } from '../../lib/errors/problem.ts'

const CORRECT_MESSAGE = 'Correct the message with draft_message.'
const REMOVE_USES = 'Remove it first from the objects that use it.'

/** Next step after a refusal, by its kind. Kinds whose detail says it are left out. */
const NEXT_STEPS: Readonly<Record<string, string>> = {
  'action-incomplete': 'Add the missing parts with draft_message.',
  'action-not-ready': CORRECT_MESSAGE,
  'action-state':
    'See the state with read_message. In state 20, test the message first with test_message; in states 30 to 40, call again in a few seconds.',
  'approval-required': 'Request the approval with ask_approval.',
  'audience-empty': 'Check the audience with message_audience, and select other segments with draft_message.',
  'consent-field-missing': 'An admin names the field in the sending settings, or settings.consent becomes 0.',
  'contact-unreachable': 'explain_contact lists every reason and how long it lasts.',
  'end-past': CORRECT_MESSAGE,
  'experiment-too-slow': CORRECT_MESSAGE,
  'field-linked': REMOVE_USES,
  'form-linked': REMOVE_USES,
  'import-empty': 'Correct the file or its columns with draft_import.',
  'import-failed': 'Correct the file or its columns with draft_import.',
  'import-scheduled': 'Prepare a new import with draft_import, or have a user change this one in the console.',
  'import-running': 'Call again when read_import shows that the run has ended.',
  'no-file': 'Add the file with draft_import.',
  'not-a-draft': 'Draft a new message, or have a user take back the validation or activation.',
  'notification-inactive': 'Activate it with send_campaign.',
  'notification-not-ready': CORRECT_MESSAGE,
  'segment-expired': 'Set a later expiration with save_segment, or select another segment with draft_message.',
  'segment-linked': REMOVE_USES,
  'segment-missing': CORRECT_MESSAGE,
  'start-missing': CORRECT_MESSAGE,
  'start-past': CORRECT_MESSAGE,
  'topic-missing': CORRECT_MESSAGE,
  'unicity-not-bound': 'Map a column to each key field with draft_import.',
  'unicity-taken': 'Find the contact with find_contacts, and pass its id to save_contact.',
  'workflow-active': 'Deactivate it first with deactivate_workflow to change or delete it.',
  'workflow-flawed': 'Correct the definition with draft_workflow.',
}

/** A refusal as a tool answers it: the problem, and the next step where there is one. */
export function renderToolRefusal(problem: Problem): Record<string, unknown> {
  const next = NEXT_STEPS[problem.kind]
  return { error: { ...renderProblem(problem), ...(next !== undefined && { next }) } }
}
