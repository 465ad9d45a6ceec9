export default {
  'as-path': 'Member',
  'as-script': 'Script',
  'as-template': 'Template',
  computed: 'Computed',
  fallback: 'If empty, write',
  fallbackWhy: 'Optional. For example: dear reader.',
  field: 'Field',
  given: 'Fixed value',
  insert: 'Insert',
  insertField: 'Insert a field',
  noField: 'No field matches',
  writtenAs: 'how it is written',
} as const
