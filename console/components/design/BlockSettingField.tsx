import { NumberInput, Select, Switch, Textarea, TextInput } from '@mantine/core'
import { memo } from 'react'
import { useTranslator } from '../../text/catalogue.ts'
import { PictureField } from '../media/PictureField.tsx'
import type { BlockSetting } from './model/settings.ts'
import { designTexts } from './texts.ts'

interface Props {
  setting: BlockSetting
  value: unknown
  /** Of a picture: nothing says in words what it shows. */
  isSilent?: boolean
  isReadOnly: boolean
  onSet(member: string, value: unknown): void
}

/** One member of a block, set beside it; drawn again when it changes itself. */
export const BlockSettingField = memo(function BlockSettingField({
  setting,
  value,
  isSilent,
  isReadOnly,
  onSet,
}: Props) {
  const t = useTranslator(designTexts)
  const { member, as, label, isOptional, min, max, among = [] } = setting
  const onChange = (next: unknown): void => onSet(member, next)
  const common = { label: t(label), size: 'xs' as const, readOnly: isReadOnly }
  const say = (next: string): void => onChange(next === '' && isOptional ? undefined : next)
  if (as === 'number')
    return (
      <NumberInput
        {...common}
        {...(min !== undefined && { min })}
        {...(max !== undefined && { max })}
        clampBehavior="strict"
        allowDecimal={false}
        value={typeof value === 'number' ? value : ''}
        onChange={(next) => {
          const number = Math.round(Number(next))
          if (next === '' && isOptional) onChange(undefined)
          else if (next !== '' && number >= (min ?? 0)) onChange(number)
        }}
      />
    )
  if (as === 'switch')
    return (
      <Switch
        {...{ label: t(label), size: 'xs', disabled: isReadOnly }}
        checked={value === true}
        onChange={(event) => onChange(event.currentTarget.checked || undefined)}
      />
    )
  if (as === 'choice')
    return (
      <Select
        {...common}
        allowDeselect={false}
        data={among.map((one) => ({ value: one, label: t(one) }))}
        value={String(value ?? among[0])}
        onChange={(next) => onChange(next === among[0] ? undefined : /^\d$/.test(next!) ? Number(next) : next)}
      />
    )
  if (as === 'line')
    return <TextInput {...common} value={String(value ?? '')} onChange={(event) => say(event.currentTarget.value)} />
  if (as === 'picture')
    return <PictureField {...common} value={String(value ?? '')} isSilent={isSilent === true} onChange={say} />
  return (
    <Textarea
      {...common}
      autosize
      minRows={as === 'code' ? 6 : 2}
      maxRows={16}
      spellCheck={as !== 'code'}
      value={String(value ?? '')}
      onChange={(event) => say(event.currentTarget.value)}
    />
  )
})
