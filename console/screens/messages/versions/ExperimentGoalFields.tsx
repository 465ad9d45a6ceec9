import { Button } from '@mantine/core'
import { ChoiceField, FieldGroup, NumberField } from '../../../components/form/fields.tsx'
import type { FormState } from '../../../components/form/use-form.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import { WorkflowEventField } from '../../workflows/fields/NodeSettingField.tsx'
import { WORKFLOW_EVENT_SETTINGS } from '../../workflows/model/events.ts'
import type { EditedMessage } from '../write/channel.ts'
import { type ApiExperiment, EXPERIMENT_POINTER, type EXPERIMENT_UNIT_MS } from './experiment.ts'
import styles from './MessageVersions.module.css'
import { versionTexts } from './texts.ts'

const GOAL_POINTER = `${EXPERIMENT_POINTER}/goal`
const PERIOD_UNITS = ['HOUR', 'DAY', 'WEEK'] as const satisfies readonly (keyof typeof EXPERIMENT_UNIT_MS)[]
/** Events that nobody reaches a goal by. */
const NON_CONTACT_EVENTS = ['target.created', 'target.deleted', 'import.completed']
/** The most common choice comes first: a custom event. */
const GOAL_EVENT_TYPES = [
  'custom',
  ...Object.keys(WORKFLOW_EVENT_SETTINGS).filter((type) => type !== 'custom' && !NON_CONTACT_EVENTS.includes(type)),
]
const NEW_GOAL = { event: { type: 'custom' }, within: { unit: 'DAY', value: 7 } } as const

interface Props {
  form: FormState<EditedMessage>
  isReadOnly: boolean
  experiment: ApiExperiment
}

/** Goal by which versions are compared with the holdout group: a later event of the contacts. */
export function ExperimentGoalFields({ form, isReadOnly, experiment }: Props) {
  const t = useTranslator(versionTexts)
  const fieldProps = { form, isReadOnly }
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
            at={`${GOAL_POINTER}/event`}
            label={t('goalEvent')}
            types={GOAL_EVENT_TYPES}
            hasCondition={false}
          />
          <div className={styles['time']}>
            <NumberField
              {...fieldProps}
              min={1}
              at={`${GOAL_POINTER}/within/value`}
              label={t('goalWithin')}
              help={t('goalWithinWhy')}
            />
            <ChoiceField
              {...fieldProps}
              at={`${GOAL_POINTER}/within/unit`}
              label={t('unit')}
              choices={PERIOD_UNITS.map((value) => ({ value, label: t(`unit_${value}`) }))}
            />
          </div>
          {!isReadOnly && (
            <div>
              <Button variant="subtle" color="gray" size="compact-sm" onClick={() => form.set(GOAL_POINTER, undefined)}>
                {t('goalWithout')}
              </Button>
            </div>
          )}
        </>
      ) : (
        <div>
          <Button variant="default" size="compact-sm" onClick={() => form.set(GOAL_POINTER, NEW_GOAL)}>
            {t('goalBegin')}
          </Button>
        </div>
      )}
    </FieldGroup>
  )
}
