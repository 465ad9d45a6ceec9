import type { Completion } from '@codemirror/autocomplete'

/** Filters of templates that the library's own list does not have. */
export const customLiquidFilters: readonly Completion[] = [
  { label: 'money', detail: ': "EUR"', type: 'function' },
  { label: 'number', detail: ': 2', type: 'function' },
  { label: 'date_to_xmlschema', type: 'function' },
  { label: 'date_to_string', type: 'function' },
  { label: 'date_to_long_string', type: 'function' },
  { label: 'date_to_rfc822', type: 'function' },
  { label: 'tracked', type: 'function' },
]

/** Tags that it does not have. */
export const customLiquidTags: readonly Completion[] = [{ label: 'cancel', detail: '"reason"', type: 'keyword' }]
