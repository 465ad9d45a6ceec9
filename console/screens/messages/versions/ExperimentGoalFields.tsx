import { Button } from '@mantine/core'
import { ChoiceField, FieldGroup, NumberField } from '../../../components/form/fields.tsx'
import type { FormState } from '../../../components/form/use-form.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import { WorkflowEventField } from '../../workflows/fields/WorkflowEventField.tsx'
import { WORKFLOW_EVENT_SETTINGS } from '../../workflows/model/events.ts'
import type { EditedMessage } from '../write/channel.ts'
import { type ApiExperiment, EXPERIMENT_POINTER, type EXPERIMENT_UNIT_MS } from './experiment.ts'
import styles from './MessageVersions.module.css'
import { versionTexts } from './texts.ts'

const AT = `${EXPERIMENT_POINTER}/goal`
const UNITS = ['HOUR', 'DAY', 'WEEK'] as const satisfies readonly (keyof typeof EXPERIMENT_UNIT_MS)[]
/** Events that nobody reaches a goal by. */
const OF_NOBODY = ['target.created', 'target.deleted', 'import.completed']
/** What is asked for most comes first: an event of one's own. */
const TYPES = [
  'custom',
  ...Object.keys(WORKFLOW_EVENT_SETTINGS).filter((type) => type !== 'custom' && !OF_NOBODY.includes(type)),
]
const NEW_GOAL = { event: { type: 'custom' }, within: { unit: 'DAY', value: 7 } } as const

interface Props {
  form: FormState<EditedMessage>
  isReadOnly: boolean
  experiment: ApiExperiment
}

/** What versions are compared with those held out by: an event of the contacts later on. */
export function ExperimentGoalFields({ form, isReadOnly, experiment }: Props) {
  const t = useTranslator(versionTexts)
  const own = { form, isReadOnly }
  const { goal, holdout } = experiment
  if (!goal && isReadOnly) return null
  return (
    <FieldGroup title={t('goal')}>
      <small>{t('goalWhy')}</small>
      {goal ? (
        <>
          {holdout === 0 && <small>{t('goalNobody')}</small>}
          <WorkflowEventField
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
