export default {
  'as-path': 'Member',
  'as-script': 'Script',
  'as-template': 'Template',
  computed: 'Computed',
  given: 'Fixed value',
  writtenAs: 'how it is written',
} as const
