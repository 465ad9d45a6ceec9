export default {
  bounced: 'Bounced',
  bouncedHint: 'Messages to this address came back. It is not written to until the mark is taken away.',
  created: 'Created',
  empty: 'Your contacts will stand here',
  emptyWhy:
    'Everybody you write to, with what you know of them, what they received and what they did. Import a file to begin; who unsubscribed elsewhere stays unsubscribed.',
  label: 'Contacts',
  noMatch: 'No contact matches',
  noMatchWhy: 'Look for a whole address, number or id, or for a part of at least three characters.',
  reset: 'Show all contacts',
  search: 'Address, number or id',
  segment: 'Segment',
  state: 'State',
  title: 'Contacts',
  unsubscribed: 'Unsubscribed',
  unsubscribedHint: 'On the red list: no marketing message is sent to this address.',
  updated: 'Changed',
} as const
