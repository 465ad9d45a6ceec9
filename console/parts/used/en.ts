export default {
  action: 'Message',
  field: 'Field',
  form: 'Form',
  import: 'Import',
  importFormat: 'Import format',
  notification: 'Notification',
  rcs: 'RCS message',
  rule: 'Pressure rule',
  segment: 'Segment',
  unused: 'Nothing uses it.',
  valueList: 'Value list',
  workflow: 'Workflow',
} as const
