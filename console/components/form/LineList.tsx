import { ActionIcon, Button } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'

interface Props<V> {
  values: readonly V[]
  onChange(values: V[]): void
  /** The fields of a line. */
  children(value: V, place: number): ReactNode
  addLabel: string
  /** Creates the value that the add button appends. */
  fresh(): V
  removeLabel(value: V): string
  isReadOnly: boolean
  className: string | undefined
  /** Maximum number of values; unlimited when absent. */
  least?: number
  most?: number
}

/** Values in lines of some fields each, with a button to remove one and a button to add one. */
export function LineList<V>({
  values,
  onChange,
  children,
  addLabel,
  fresh,
  removeLabel,
  isReadOnly,
  className,
  least = 0,
  most = Number.POSITIVE_INFINITY,
}: Props<V>) {
  return (
    <>
      {values.map((value, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place: all that is in it can be edited.
        <div key={place} className={className}>
          {children(value, place)}
          {!isReadOnly && values.length > least && (
            <ActionIcon aria-label={removeLabel(value)} onClick={() => onChange(values.toSpliced(place, 1))}>
              <IconX size={15} />
            </ActionIcon>
          )}
        </div>
      ))}
      {!isReadOnly && values.length < most && (
        <div>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => onChange([...values, fresh()])}
          >
            {addLabel}
          </Button>
        </div>
      )}
    </>
  )
}
