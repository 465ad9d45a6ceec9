import { NumberInput, Select, Switch, Textarea, TextInput } from '@mantine/core'
import { memo } from 'react'
import { useTranslator } from '../../text/catalogue.ts'
import { PictureField } from '../media/PictureField.tsx'
import type { BlockSetting } from './model/settings.ts'
import { designTexts } from './texts.ts'

interface Props {
  setting: BlockSetting
  value: unknown
  /** True for an image without alternative text. */
  isSilent?: boolean
  isReadOnly: boolean
  onSet(member: string, value: unknown): void
}

/** Field for one member of a block in the settings panel; renders only when its own member changes. */
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
  const sharedProps = { label: t(label), size: 'xs' as const, readOnly: isReadOnly }
  const changeText = (next: string): void => onChange(next === '' && isOptional ? undefined : next)
  if (as === 'number')
    return (
      <NumberInput
        {...sharedProps}
        {...(min !== undefined && { min })}
        {...(max !== undefined && { max })}
        clampBehavior="strict"
        allowDecimal={false}
        value={typeof value === 'number' ? value : ''}
        onChange={(next) => {
          const roundedNumber = Math.round(Number(next))
          if (next === '' && isOptional) onChange(undefined)
          else if (next !== '' && roundedNumber >= (min ?? 0)) onChange(roundedNumber)
        }}
      />
    )
  if (as === 'switch')
    return (
      <Switch
        label={t(label)}
        size="xs"
        disabled={isReadOnly}
        checked={value === true}
        onChange={(event) => onChange(event.currentTarget.checked || undefined)}
      />
    )
  if (as === 'choice')
    return (
      <Select
        {...sharedProps}
        allowDeselect={false}
        data={among.map((choice) => ({ value: choice, label: t(choice) }))}
        value={String(value ?? among[0])}
        onChange={(next) => onChange(next === among[0] ? undefined : /^\d$/.test(next!) ? Number(next) : next)}
      />
    )
  if (as === 'line')
    return (
      <TextInput
        {...sharedProps}
        value={String(value ?? '')}
        onChange={(event) => changeText(event.currentTarget.value)}
      />
    )
  if (as === 'picture')
    return (
      <PictureField {...sharedProps} value={String(value ?? '')} isSilent={isSilent === true} onChange={changeText} />
    )
  return (
    <Textarea
      {...sharedProps}
      autosize
      minRows={as === 'code' ? 6 : 2}
      maxRows={16}
      spellCheck={as !== 'code'}
      value={String(value ?? '')}
      onChange={(event) => changeText(event.currentTarget.value)}
    />
  )
})
