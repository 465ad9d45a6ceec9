import type { ApiAnswer } from '../../api/shapes.ts'
import type { CriteriaGroup } from '../../components/criteria/model.ts'

type ContactField = ApiAnswer<'listFields'>[number]

/** Starting points of new segments, which can be changed. */
export const SEGMENT_TEMPLATES = ['engaged', 'neverOpened', 'newThisWeek', 'bounced', 'birthday'] as const
export type SegmentTemplateName = (typeof SEGMENT_TEMPLATES)[number]

const BIRTHDAY_PATTERN = /birth|born|naissance|anniversaire|\bdob\b/i
const BIRTHDAY_DAYS = 30

const lastDays = (value: number) => ({ last: { value, unit: 'day' } })

/** The date field that holds birthdays; the only date field where none is named so. */
function findBirthdayField(fields: readonly ContactField[]): ContactField | undefined {
  const dateFields = fields.filter(({ type, isCriterion }) => type === 'date' && isCriterion)
  return (
    dateFields.find(({ name }) => BIRTHDAY_PATTERN.test(name)) ?? (dateFields.length === 1 ? dateFields[0] : undefined)
  )
}

/** The criteria of a template; undefined if the account lacks a field that it needs. */
export function buildTemplateCriteria(
  template: SegmentTemplateName,
  fields: readonly ContactField[],
): CriteriaGroup | undefined {
  switch (template) {
    case 'engaged':
      return { all: [{ type: 'event', event: 'hit', period: lastDays(30) }] }
    case 'neverOpened':
      return {
        all: [
          { type: 'event', event: 'activation', channel: 'email' },
          { none: [{ type: 'event', event: 'hits/open', channel: 'email' }] },
        ],
      }
    case 'newThisWeek':
      return { all: [{ type: 'creationDate', operator: 'within', value: lastDays(7) }] }
    case 'bounced':
      return { all: [{ type: 'bounce', is: ['hard'] }] }
    default: {
      const field = findBirthdayField(fields)
      const value = { from: 0, to: BIRTHDAY_DAYS }
      return field && { all: [{ type: 'field', field: field.id, operator: 'anniversary', value }] }
    }
  }
}
