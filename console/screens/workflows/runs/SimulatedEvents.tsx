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

interface EventItemProps {
  form: WorkflowFormBinding
  event: SimulatedEvent
  place: number
  isLast: boolean
  idOf(place: number, by: -1 | 1): string
  onMove(by: -1 | 1): void
  onRemove(): void
}

/** One event: what happens, when, and what filters ask of it. */
function EventItem({ form, event, place, isLast, idOf, onMove, onRemove }: EventItemProps) {
  const [t, fieldT] = [useTranslator(workflowTexts), useTranslator(workflowFieldTexts)]
  const eventPointer = `/events/${place}`
  const name = `${workflowEventLabel(fieldT, event.type)} (${place + 1})`
  return (
    <li className={styles['happening']}>
      <div className={styles['happeningHead']}>
        <strong>{workflowEventLabel(fieldT, event.type)}</strong>
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
        <ActionIcon
          size="sm"
          variant="subtle"
          color="gray"
          aria-label={fieldT('removeOf', { name })}
          onClick={onRemove}
        >
          <IconX size={15} aria-hidden />
        </ActionIcon>
      </div>
      <Select
        searchable
        size="xs"
        label={fieldT('set-event')}
        allowDeselect={false}
        data={Object.keys(WORKFLOW_EVENT_SETTINGS).map((value) => ({
          value,
          label: workflowEventLabel(fieldT, value),
        }))}
        value={event.type}
        onChange={(type) => type !== null && form.set(eventPointer, changeEventType(event, type))}
      />
      <NodeInstantField form={form} at={`${eventPointer}/at`} label={fieldT('set-at')} isReadOnly={false} />
      {listEventSettings(event.type).map((setting) => (
        <NodeSettingField key={setting.at} setting={setting} form={form} base={eventPointer} isReadOnly={false} />
      ))}
    </li>
  )
}

/** Events during a simulation, in order; as a form or as JSON. */
export function SimulatedEvents({
  form,
  begin,
}: {
  form: WorkflowFormBinding & { value: { events: unknown } }
  begin: string | null
}) {
  const [t, fieldT] = [useTranslator(workflowTexts), useTranslator(workflowFieldTexts)]
  const [isSource, setSource] = useState(false)
  const id = useId()
  const pendingFocusIds = useRef<string | null>(null)
  const rawEvents = form.value.events
  const eventList: SimulatedEvent[] = Array.isArray(rawEvents) ? rawEvents : []
  const buildButtonId = (place: number, by: -1 | 1): string => `${id}-${place}-${by}`
  useEffect(() => {
    if (pendingFocusIds.current === null) return
    const focusButtons = pendingFocusIds.current.split(' ').map((buttonId) => document.getElementById(buttonId))
    focusButtons.find((button) => button instanceof HTMLButtonElement && !button.disabled)?.focus()
    pendingFocusIds.current = null
  })
  const moveEvent = (place: number, by: -1 | 1): void => {
    // At an end its button is off: the other one is taken.
    pendingFocusIds.current = [buildButtonId(place + by, by), buildButtonId(place + by, by === 1 ? -1 : 1)].join(' ')
    form.set('/events', moveSimulatedEvent(eventList, place, by))
  }
  return (
    <fieldset className={styles['group']}>
      <legend>{t('events')}</legend>
      {isSource ? (
        <WorkflowJsonField form={form} at="/events" label={fieldT('set-events')} isReadOnly={false} />
      ) : (
        <>
          {eventList.length === 0 && <p className={styles['why']}>{t('noEvents')}</p>}
          <ol className={styles['happenings']} aria-label={t('events')}>
            {eventList.map((event, place) => (
              <EventItem
                // biome-ignore lint/suspicious/noArrayIndexKey: an event is its place: all that is in it can be edited.
                key={`${place}${event.type}`}
                form={form}
                event={event}
                place={place}
                idOf={buildButtonId}
                isLast={place === eventList.length - 1}
                onMove={(by) => moveEvent(place, by)}
                onRemove={() => form.set('/events', eventList.toSpliced(place, 1))}
              />
            ))}
          </ol>
          <div>
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={() => form.set('/events', addSimulatedEvent(eventList, begin, Date.now()))}
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
