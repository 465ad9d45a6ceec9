import { Button } from '@mantine/core'
import { ChoiceField, FieldGroup, NumberField } from '../../../components/form/fields.tsx'
import type { Form } from '../../../components/form/use-form.ts'
import { useText } from '../../../text/catalogue.ts'
import { EventField } from '../../workflows/fields/EventField.tsx'
import { EVENTS } from '../../workflows/model/events.ts'
import type { Message } from '../write/channel.ts'
import { EXPERIMENT_AT, type Experiment, type UNIT_MS } from './experiment.ts'
import { versionTexts } from './texts.ts'
import styles from './Versions.module.css'

const AT = `${EXPERIMENT_AT}/goal`
const UNITS = ['HOUR', 'DAY', 'WEEK'] as const satisfies readonly (keyof typeof UNIT_MS)[]
/** Events that nobody reaches a goal by. */
const OF_NOBODY = ['target.created', 'target.deleted', 'import.completed']
/** What is asked for most comes first: an event of one's own. */
const TYPES = ['custom', ...Object.keys(EVENTS).filter((type) => type !== 'custom' && !OF_NOBODY.includes(type))]
const NEW_GOAL = { event: { type: 'custom' }, within: { unit: 'DAY', value: 7 } } as const

interface Props {
  form: Form<Message>
  isReadOnly: boolean
  experiment: Experiment
}

/** What versions are compared with those held out by: an event of the contacts later on. */
export function Goal({ form, isReadOnly, experiment }: Props) {
  const t = useText(versionTexts)
  const own = { form, isReadOnly }
  const { goal, holdout } = experiment
  if (!goal && isReadOnly) return null
  return (
    <FieldGroup title={t('goal')}>
      <small>{t('goalWhy')}</small>
      {goal ? (
        <>
          {holdout === 0 && <small>{t('goalNobody')}</small>}
          <EventField
            form={form as never}
            isReadOnly={isReadOnly}
            at={`${AT}/event`}
            label={t('goalEvent')}
            types={TYPES}
            hasCondition={false}
          />
          <div className={styles['time']}>
            <NumberField {...own} min={1} at={`${AT}/within/value`} label={t('goalWithin')} help={t('goalWithinWhy')} />
            <ChoiceField
              {...own}
              at={`${AT}/within/unit`}
              label={t('unit')}
              choices={UNITS.map((value) => ({ value, label: t(`unit_${value}`) }))}
            />
          </div>
          {!isReadOnly && (
            <div>
              <Button variant="subtle" color="gray" size="compact-sm" onClick={() => form.set(AT, undefined)}>
                {t('goalWithout')}
              </Button>
            </div>
          )}
        </>
      ) : (
        <div>
          <Button variant="default" size="compact-sm" onClick={() => form.set(AT, NEW_GOAL)}>
            {t('goalBegin')}
          </Button>
        </div>
      )}
    </FieldGroup>
  )
}
