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
import { type ApiRcsAction, type ApiRcsCard, type ApiRcsContent, createRcsContent } from './rcs-kind.ts'
import { rcsMessageTexts } from './texts.ts'

const CONTENT_KINDS = ['text', 'card', 'carousel', 'file'] as const
const MAX_SUGGESTIONS = 11
const MAX_CARDS = 10
const MIN_CARDS = 2

type Props = MessageContentProps<ApiRcsAction>

function ShapeFields({ form, isReadOnly }: Props) {
  const t = useTranslator(rcsMessageTexts)
  const { content } = form.value
  const isHorizontal = content?.type === 'card' && content.orientation === 'HORIZONTAL'
  return (
    <>
      <ChoiceField
        form={form}
        isReadOnly={isReadOnly}
        at="/content/orientation"
        label={t('orientation')}
        choices={[
          { value: 'VERTICAL', label: t('vertical') },
          { value: 'HORIZONTAL', label: t('horizontal') },
        ]}
      />
      {isHorizontal && (
        <ChoiceField
          form={form}
          isReadOnly={isReadOnly}
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

function CardFields({ form, isReadOnly, content }: Props & { content: Extract<ApiRcsContent, { type: 'carousel' }> }) {
  const t = useTranslator(rcsMessageTexts)
  const { cards, width } = content
  return (
    <>
      <ChoiceField
        form={form}
        isReadOnly={isReadOnly}
        at="/content/width"
        label={t('carouselWidth')}
        choices={[
          { value: 'SMALL', label: t('small') },
          { value: 'MEDIUM', label: t('medium') },
        ]}
      />
      <LineList<ApiRcsCard>
        values={cards}
        onChange={(next) => form.set('/content/cards', next)}
        addLabel={t('addCard')}
        fresh={() => ({ title: '' })}
        removeLabel={(card) => t('removeCardNumber', { number: cards.indexOf(card) + 1 })}
        isReadOnly={isReadOnly}
        className={`${styles['box']} ${styles['removable']}`}
        least={MIN_CARDS}
        most={MAX_CARDS}
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

function ContentParts({ form, isReadOnly, content }: Props & { content: ApiRcsContent }) {
  const t = useTranslator(rcsMessageTexts)
  const fieldProps = { form, isReadOnly }
  return (
    <>
      {content.type === 'text' && (
        <>
          <LiquidTextField {...fieldProps} hasLinks rows={4} at="/content/text" label={t('text')} />
          <SwitchField {...fieldProps} at="/content/persistent" label={t('persistent')} />
        </>
      )}
      {content.type === 'file' && <RcsFileFields {...fieldProps} at="/content/file" />}
      {content.type === 'card' && (
        <>
          <ShapeFields {...fieldProps} />
          <RcsCardFields {...fieldProps} at="/content/card" />
        </>
      )}
      {content.type === 'carousel' && <CardFields {...fieldProps} content={content} />}
      <RcsSuggestionFields
        {...fieldProps}
        at="/content/suggestions"
        label={t('suggestions')}
        addLabel={t('addSuggestion')}
        most={MAX_SUGGESTIONS}
      />
    </>
  )
}

/** Content of a rich message: its kind and its parts. */
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
        data={CONTENT_KINDS.map((value) => ({ value, label: t(value) }))}
        value={content?.type ?? ''}
        onChange={(kind) => form.set('/content', createRcsContent(kind as ApiRcsContent['type'], content))}
      />
      {!content && <small>{t('chooseKind')}</small>}
      {content && <ContentParts {...props} content={content} />}
    </FieldGroup>
  )
}

/** A rich message of any kind, its SMS for phones that it does not reach, and who it is from. */
export function RcsContentEditor(props: Props) {
  const t = useTranslator(rcsMessageTexts)
  const { form, isReadOnly } = props
  return (
    <>
      <TextField form={form} isReadOnly={isReadOnly} at="/name" label={t('name')} />
      <RcsContentFields {...props} />
      <RcsSendingFields {...props} />
    </>
  )
}
