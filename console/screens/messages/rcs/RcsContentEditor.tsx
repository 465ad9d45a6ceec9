import { SegmentedControl } from '@mantine/core'
import { ChoiceField, FieldGroup, SwitchField, TextField } from '../../../components/form/fields.tsx'
import { LineList } from '../../../components/form/LineList.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import { LiquidTextField } from '../phones/LiquidTextField.tsx'
import styles from '../phones/Phones.module.css'
import type { MessageContentProps } from '../write/channel.ts'
import { RcsCardFields, RcsFileFields } from './RcsCardFields.tsx'
import { RcsSendingFields } from './RcsSendingFields.tsx'
import { RcsSuggestionFields } from './RcsSuggestionFields.tsx'
import { type ApiRcsAction, type ApiRcsContent, type ApiRcsCard as CardValue, createRcsContent } from './rcs-kind.ts'
import { rcsMessageTexts } from './texts.ts'

const KINDS = ['text', 'card', 'carousel', 'file'] as const
const MOST = 11
const MOST_CARDS = 10
const LEAST_CARDS = 2

type Props = MessageContentProps<ApiRcsAction>

function Shape({ form, isReadOnly }: Props) {
  const t = useTranslator(rcsMessageTexts)
  const { content } = form.value
  const isBeside = content?.type === 'card' && content.orientation === 'HORIZONTAL'
  return (
    <>
      <ChoiceField
        {...{ form, isReadOnly }}
        at="/content/orientation"
        label={t('orientation')}
        choices={[
          { value: 'VERTICAL', label: t('vertical') },
          { value: 'HORIZONTAL', label: t('horizontal') },
        ]}
      />
      {isBeside && (
        <ChoiceField
          {...{ form, isReadOnly }}
          at="/content/alignment"
          label={t('alignment')}
          choices={[
            { value: 'LEFT', label: t('left') },
            { value: 'RIGHT', label: t('right') },
          ]}
        />
      )}
    </>
  )
}

function Cards({ form, isReadOnly, content }: Props & { content: Extract<ApiRcsContent, { type: 'carousel' }> }) {
  const t = useTranslator(rcsMessageTexts)
  const { cards, width } = content
  return (
    <>
      <ChoiceField
        {...{ form, isReadOnly }}
        at="/content/width"
        label={t('carouselWidth')}
        choices={[
          { value: 'SMALL', label: t('small') },
          { value: 'MEDIUM', label: t('medium') },
        ]}
      />
      <LineList<CardValue>
        values={cards}
        onChange={(next) => form.set('/content/cards', next)}
        addLabel={t('addCard')}
        fresh={() => ({ title: '' })}
        removeLabel={(card) => t('removeCardNumber', { number: cards.indexOf(card) + 1 })}
        isReadOnly={isReadOnly}
        className={`${styles['box']} ${styles['removable']}`}
        least={LEAST_CARDS}
        most={MOST_CARDS}
      >
        {(_, place) => (
          <>
            <h3>{t('cardNumber', { number: place + 1 })}</h3>
            <RcsCardFields
              form={form}
              at={`/content/cards/${place}`}
              isReadOnly={isReadOnly}
              isTallAllowed={width !== 'SMALL'}
              number={place + 1}
            />
          </>
        )}
      </LineList>
    </>
  )
}

function Parts({ form, isReadOnly, content }: Props & { content: ApiRcsContent }) {
  const t = useTranslator(rcsMessageTexts)
  const common = { form, isReadOnly }
  return (
    <>
      {content.type === 'text' && (
        <>
          <LiquidTextField {...common} hasLinks rows={4} at="/content/text" label={t('text')} />
          <SwitchField {...common} at="/content/persistent" label={t('persistent')} />
        </>
      )}
      {content.type === 'file' && <RcsFileFields {...common} at="/content/file" />}
      {content.type === 'card' && (
        <>
          <Shape {...common} />
          <RcsCardFields {...common} at="/content/card" />
        </>
      )}
      {content.type === 'carousel' && <Cards {...common} content={content} />}
      <RcsSuggestionFields
        {...common}
        at="/content/suggestions"
        label={t('suggestions')}
        addLabel={t('addSuggestion')}
        most={MOST}
      />
    </>
  )
}

/** What a rich message is: of which kind, and its parts. */
export function RcsContentFields(props: Props) {
  const t = useTranslator(rcsMessageTexts)
  const { form, isReadOnly } = props
  const { content } = form.value
  return (
    <FieldGroup title={t('content')}>
      <SegmentedControl
        w="fit-content"
        maw="100%"
        aria-label={t('content')}
        readOnly={isReadOnly}
        data={KINDS.map((value) => ({ value, label: t(value) }))}
        value={content?.type ?? ''}
        onChange={(kind) => form.set('/content', createRcsContent(kind as ApiRcsContent['type'], content))}
      />
      {!content && <small>{t('chooseKind')}</small>}
      {content && <Parts {...props} content={content} />}
    </FieldGroup>
  )
}

/** A rich message of any kind, its SMS for phones that it does not reach, and who it is from. */
export function RcsContentEditor(props: Props) {
  const t = useTranslator(rcsMessageTexts)
  const { form, isReadOnly } = props
  return (
    <>
      <TextField {...{ form, isReadOnly }} at="/name" label={t('name')} />
      <RcsContentFields {...props} />
      <RcsSendingFields {...props} />
    </>
  )
}
