import { ActionIcon, Button, Select, Switch } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus, IconX } from '@tabler/icons-react'
import { useEffect, useId, useRef, useState } from 'react'
import { useTranslator } from '../../../text/catalogue.ts'
import { NodeSettingField } from '../fields/NodeSettingField.tsx'
import type { WorkflowFormBinding } from '../fields/node-form.ts'
import { NodeInstantField } from '../fields/TimeFields.tsx'
import { workflowFieldTexts } from '../fields/texts.ts'
import { WorkflowJsonField } from '../fields/WorkflowJsonField.tsx'
import { workflowEventLabel } from '../fields/words.ts'
import { WORKFLOW_EVENT_SETTINGS } from '../model/events.ts'
import {
  addSimulatedEvent,
  changeEventType,
  listEventSettings,
  moveSimulatedEvent,
  type SimulatedEvent,
} from '../model/simulated-events.ts'
import { workflowTexts } from '../texts.ts'
import styles from '../WorkflowsPage.module.css'

interface ItemProps {
  form: WorkflowFormBinding
  event: SimulatedEvent
  place: number
  isLast: boolean
  idOf(place: number, by: -1 | 1): string
  onMove(by: -1 | 1): void
  onRemove(): void
}

/** One event: what happens, when, and what filters ask of it. */
function EventItem({ form, event, place, isLast, idOf, onMove, onRemove }: ItemProps) {
  const [t, own] = [useTranslator(workflowTexts), useTranslator(workflowFieldTexts)]
  const at = `/events/${place}`
  const name = `${workflowEventLabel(own, event.type)} (${place + 1})`
  return (
    <li className={styles['happening']}>
      <div className={styles['happeningHead']}>
        <strong>{workflowEventLabel(own, event.type)}</strong>
        <ActionIcon
          id={idOf(place, -1)}
          size="sm"
          variant="subtle"
          aria-label={t('earlier', { name })}
          disabled={place === 0}
          onClick={() => onMove(-1)}
        >
          <IconArrowUp size={15} aria-hidden />
        </ActionIcon>
        <ActionIcon
          id={idOf(place, 1)}
          size="sm"
          variant="subtle"
          aria-label={t('later', { name })}
          disabled={isLast}
          onClick={() => onMove(1)}
        >
          <IconArrowDown size={15} aria-hidden />
        </ActionIcon>
        <ActionIcon size="sm" variant="subtle" color="gray" aria-label={own('removeOf', { name })} onClick={onRemove}>
          <IconX size={15} aria-hidden />
        </ActionIcon>
      </div>
      <Select
        searchable
        size="xs"
        label={own('set-event')}
        allowDeselect={false}
        data={Object.keys(WORKFLOW_EVENT_SETTINGS).map((value) => ({ value, label: workflowEventLabel(own, value) }))}
        value={event.type}
        onChange={(type) => type !== null && form.set(at, changeEventType(event, type))}
      />
      <NodeInstantField form={form} at={`${at}/at`} label={own('set-at')} isReadOnly={false} />
      {listEventSettings(event.type).map((setting) => (
        <NodeSettingField key={setting.at} {...{ setting, form }} base={at} isReadOnly={false} />
      ))}
    </li>
  )
}

/** What happens while a workflow is simulated, in its order; as a form or as JSON. */
export function SimulatedEvents({
  form,
  begin,
}: {
  form: WorkflowFormBinding & { value: { events: unknown } }
  begin: string | null
}) {
  const [t, own] = [useTranslator(workflowTexts), useTranslator(workflowFieldTexts)]
  const [isSource, setSource] = useState(false)
  const id = useId()
  const toFocus = useRef<string | null>(null)
  const given = form.value.events
  const events: SimulatedEvent[] = Array.isArray(given) ? given : []
  const idOf = (place: number, by: -1 | 1): string => `${id}-${place}-${by}`
  useEffect(() => {
    if (toFocus.current === null) return
    const buttons = toFocus.current.split(' ').map((one) => document.getElementById(one))
    buttons.find((button) => button instanceof HTMLButtonElement && !button.disabled)?.focus()
    toFocus.current = null
  })
  const move = (place: number, by: -1 | 1): void => {
    // At an end its button is off: the other one is taken.
    toFocus.current = [idOf(place + by, by), idOf(place + by, by === 1 ? -1 : 1)].join(' ')
    form.set('/events', moveSimulatedEvent(events, place, by))
  }
  return (
    <fieldset className={styles['group']}>
      <legend>{t('events')}</legend>
      {isSource ? (
        <WorkflowJsonField form={form} at="/events" label={own('set-events')} isReadOnly={false} />
      ) : (
        <>
          {events.length === 0 && <p className={styles['why']}>{t('noEvents')}</p>}
          <ol className={styles['happenings']} aria-label={t('events')}>
            {events.map((event, place) => (
              <EventItem
                // biome-ignore lint/suspicious/noArrayIndexKey: an event is its place: all that is in it can be edited.
                key={`${place}${event.type}`}
                {...{ form, event, place, idOf }}
                isLast={place === events.length - 1}
                onMove={(by) => move(place, by)}
                onRemove={() => form.set('/events', events.toSpliced(place, 1))}
              />
            ))}
          </ol>
          <div>
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={() => form.set('/events', addSimulatedEvent(events, begin, Date.now()))}
            >
              {t('addEvent')}
            </Button>
          </div>
        </>
      )}
      <Switch
        size="xs"
        label={t('source')}
        checked={isSource}
        onChange={(event) => setSource(event.currentTarget.checked)}
      />
    </fieldset>
  )
}
