import type { EventKind } from '../../events/kinds/event-kinds.ts'
import type { NoticeType } from '../../notices/notices.ts'

/** The summary and the description of a request. */
export type WebhookText = readonly [summary: string, description: string]

/** Requests with one event, by its kind. */
export const eventWebhookTexts: Readonly<Record<EventKind, WebhookText>> = {
  executions: [
    'Receive the request of a message',
    'A message was requested: by a request, a workflow, a webtask, a compilable or a task. Campaign runs and proofs have no executions.',
  ],
  activations: [
    'Receive the hand-over of a message',
    'A message was handed over: the gateway gave its final answer, whether it accepted or refused the message. For display, the image of a content was requested.',
  ],
  cancellations: [
    'Receive the cancellation of a message',
    'A requested message will not be handed over; `cancellation` gives the reason.',
  ],
  bounces: ['Receive a bounce', 'A message was refused, at hand-over or by a later report.'],
  'hits/open': ['Receive an open', 'The pixel of an email was requested.'],
  'hits/redirection': [
    'Receive a click',
    'A tracked link was followed; of a push, the push was tapped; of display, the content was clicked.',
  ],
  'hits/unsubscribe': [
    'Receive an unsubscription',
    'The contact confirmed to unsubscribe: by one click in the mail reader, on the page, or by mail. The contact is added to the suppression list.',
  ],
  'hits/mirror': ['Receive the opening of a mirror page', 'The message was opened as a page.'],
  'hits/form': ['Receive the submission of a form', 'A form of a message was submitted and accepted.'],
  'hits/dismiss': ['Receive the dismissal of a push', 'A push was dismissed on the device.'],
  complaints: ['Receive a complaint', 'A mailbox provider reported a complaint about an email.'],
  'responses/stop': [
    'Receive a STOP reply',
    'The first word of an answer by SMS is a stop word. Every contact with that number is added to the SMS suppression list.',
  ],
  'responses/other': ['Receive a reply', 'A contact answered by SMS, without a stop word.'],
  deliveries: ['Receive a delivery report', 'The SMS or RCS message arrived.'],
  'interactions/read': ['Receive the reading of an RCS message', 'The RCS message was read.'],
  'interactions/text': [
    'Receive a text from an RCS contact',
    'The contact wrote a text that does not begin with a stop word.',
  ],
  'interactions/file': ['Receive a file from an RCS contact', 'The contact sent a file.'],
  'interactions/location': ['Receive a location from an RCS contact', 'The contact sent a location.'],
  'interactions/suggestion': ['Receive the tap of an RCS suggestion', 'The contact tapped a suggestion.'],
  'interactions/redirection': ['Receive a click in an RCS message', 'A tracked link of an RCS message was followed.'],
  'interactions/subscribe': [
    'Receive an RCS subscription',
    'The contact subscribed again in the messaging app. An entry on the SMS suppression list that was made by an RCS message is removed.',
  ],
  'interactions/unsubscribe': [
    'Receive an RCS unsubscription',
    'The contact unsubscribed: in the messaging app, by a text or suggestion that begins with a stop word, or on the page of a link. The contact is added to the SMS suppression list.',
  ],
  impressions: ['Receive the display of a push', 'A device displayed a push.'],
  optouts: ['Receive an opt-out from pushes', 'A device muted the app or a channel of it.'],
}

/** Requests with one change notice, by its type. */
export const noticeWebhookTexts: Readonly<Record<NoticeType, WebhookText>> = {
  'target.created': ['Receive the creation of a contact', 'A contact was created. `data` is empty.'],
  'target.updated': [
    'Receive the change of a contact',
    'Values of a contact changed. `data.fields`: IDs of the fields whose values are different now.',
  ],
  'target.deleted': ['Receive the deletion of a contact', 'A contact was deleted or erased. `data` is empty.'],
  'target.redlisted': [
    'Receive an entry on a suppression list',
    'A contact was added to a suppression list. `data.channels`: the list, `mail` or `sms`. `data.origin`: origin of the entry.',
  ],
  'target.bounced': [
    'Receive a bounce flag',
    'An address of a contact received a bounce flag other than `validated`. `data.field`: ID of the field. `data.type`: name of the flag.',
  ],
  'segment.entered': [
    'Receive an entry into a segment',
    'A contact became a member of a segment. `data.segment`: ID of the segment. Dynamic segments are compared every 5 minutes, and only while an active workflow, or the goal of a campaign, refers to their entries and exits.',
  ],
  'segment.left': [
    'Receive an exit from a segment',
    'A contact is no longer a member of a segment. `data.segment`: ID of the segment. Dynamic segments are compared as for `segment.entered`.',
  ],
  'subscription.created': [
    'Receive the subscription of a device',
    'A device subscribed to push messages. `data.subscription` and `data.application`: their IDs. `contact` is null for a device without a contact.',
  ],
  'subscription.deleted': [
    'Receive the deletion of a subscription',
    'The subscription of a device was deleted: by a request, with its contact, or because the push service no longer knows the device. `data.subscription` and `data.application`: their IDs.',
  ],
  'import.completed': [
    'Receive the end of an import',
    'A run of an import ended. `data` has its IDs and counts; `data.state` is 1 for completed, 2 for failed or cancelled.',
  ],
  'message.postponed': [
    'Receive the postponement of a message',
    'Marketing pressure postponed a message for the first time. `data.until`: time until which it waits, in milliseconds.',
  ],
}
