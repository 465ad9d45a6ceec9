import { ActionIcon, Button } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { readPointerValue } from '../../../components/form/pointers.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import type { NodeSetting } from '../model/settings.ts'
import { isSettingRelevant } from '../model/starts.ts'
import styles from '../WorkflowsPage.module.css'
import { NodeSettingField } from './NodeSettingField.tsx'
import type { NodeFieldProps } from './node-form.ts'
import { workflowFieldTexts } from './texts.ts'
import { type WorkflowFieldTranslator, workflowEventLabel } from './words.ts'

type Item = Readonly<Record<string, unknown>>

/** What an item of a list is called: its name, its event, else its place. */
function itemWords(t: WorkflowFieldTranslator, item: Item, label: string, place: number): string {
  const { name, key, id, event, metric, minute, hour } = item
  const type = ((event ?? metric) as { type?: string } | undefined)?.type
  if (typeof name === 'string' && name !== '') return name
  if (typeof key === 'string' && key !== '') return key
  if (type !== undefined) return workflowEventLabel(t, type)
  if (typeof hour === 'string') return `${hour}:${String(minute ?? '*').padStart(2, '0')}`
  return typeof id === 'string' && id.length < 24 ? id : `${label} ${place + 1}`
}

const itemsOf = (value: unknown): Item[] =>
  Array.isArray(value) ? value.map((item) => (item !== null && typeof item === 'object' ? (item as Item) : {})) : []

/** An id that no other item has, where a new one needs its own. */
function named(fresh: Item, items: readonly Item[]): Item {
  const taken = new Set(items.map(({ id }) => id))
  const { id } = fresh
  if (typeof id !== 'string' || !taken.has(id)) return structuredClone(fresh)
  for (let n = 2; ; n++) if (!taken.has(`${id}-${n}`)) return { ...structuredClone(fresh), id: `${id}-${n}` }
}

/** Items of several settings each: small ones in lines, big ones to unfold. */
export function WorkflowListField({
  setting,
  ...props
}: NodeFieldProps & { setting: Extract<NodeSetting, { as: 'list' }> }) {
  const t = useTranslator(workflowFieldTexts)
  const { form, at, label, isReadOnly } = props
  const items = itemsOf(readPointerValue(form.value, at))
  const fields = (item: Item, place: number) =>
    setting.items
      .filter((one) => isSettingRelevant(one, item))
      .map((one) => (
        <NodeSettingField
          key={one.at + one.as}
          setting={one}
          base={`${at}/${place}`}
          form={form}
          isReadOnly={isReadOnly}
        />
      ))
  const remove = (item: Item, place: number) =>
    !isReadOnly && (
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('removeOf', { name: itemWords(t, item, label, place) })}
        onClick={() => form.set(at, items.toSpliced(place, 1))}
      >
        <IconX size={15} />
      </ActionIcon>
    )
  return (
    <fieldset className={styles['group']}>
      <legend>{label}</legend>
      {items.map((item, place) =>
        setting.isBig ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: an item is its place: all that is in it can be edited.
          <details key={place} className={styles['item']} open={items.length === 1}>
            <summary>
              <bdi>{itemWords(t, item, label, place)}</bdi>
            </summary>
            <div className={styles['fields']}>
              {fields(item, place)}
              {!isReadOnly && (
                <div>
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    color="gray"
                    onClick={() => form.set(at, items.toSpliced(place, 1))}
                  >
                    {t('removeOf', { name: itemWords(t, item, label, place) })}
                  </Button>
                </div>
              )}
            </div>
          </details>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: an item is its place: all that is in it can be edited.
          <div key={place} className={styles['line']}>
            {fields(item, place)}
            {remove(item, place)}
          </div>
        ),
      )}
      {!isReadOnly && (
        <div>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => form.set(at, [...items, named(setting.fresh, items)])}
          >
            {t('addTo', { list: label })}
          </Button>
        </div>
      )}
    </fieldset>
  )
}
