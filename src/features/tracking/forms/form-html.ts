import type { FieldType } from '../../contacts/fields/field-schemas.ts'
import type { FormAnswerFault, FormAnswers, FormQuestion } from '../../forms/answers.ts'
import type { FormResource } from '../../forms/form-schemas.ts'
import { selectFormText } from '../../forms/form-texts.ts'
import { escapeHtml } from '../../rendering/templates/liquid.ts'
import type { PageLanguage } from '../pages/languages.ts'
import { type RecipientPage, renderRecipientPage } from '../pages/pages.ts'
import { formFaultText, formPageTexts } from './form-texts.ts'

/** Name of the hidden field that only robots fill in. */
export const FORM_HONEYPOT_FIELD = 'website'

/** A form with the values of its controls and their faults. */
export interface RenderedForm {
  form: FormResource
  questions: readonly FormQuestion[]
  answers: FormAnswers
  faults: ReadonlyMap<number, FormAnswerFault>
  language: PageLanguage
  account: string
}

/** One control of a form. */
interface FormControl {
  id: number
  type: FieldType
  label: string
  options: readonly string[]
  values: readonly string[]
  required: boolean
  fault: string | undefined
  language: PageLanguage
}

const inputAttributes = {
  email: 'type="email" autocomplete="email"',
  phone: 'type="tel" autocomplete="tel"',
  textField: 'type="text" maxlength="1000"',
  numeric: 'type="number" step="any"',
  date: 'type="date"',
} as const

/** The attributes that link a control to its fault. */
function renderStateAttributes({ id, fault }: FormControl): string {
  return fault === undefined ? '' : ` aria-invalid="true" aria-describedby="e${id}"`
}

function renderRequiredMark({ required, language }: FormControl): string {
  return required ? ` <span class="note">(${formPageTexts.required[language]})</span>` : ''
}

function renderFault({ id, fault }: FormControl): string {
  return fault === undefined ? '' : `\n<p class="fault" id="e${id}">${escapeHtml(fault)}</p>`
}

function renderCheckboxes(control: FormControl): string {
  const { id, label, options, values } = control
  const checkboxItems = options.map((option) => {
    const isChecked = values.includes(option) ? ' checked' : ''
    return `<label class="box"><input type="checkbox" name="${id}" value="${escapeHtml(option)}"${isChecked}> ${escapeHtml(option)}</label>`
  })
  return `<fieldset${renderStateAttributes(control)}><legend>${escapeHtml(label)}${renderRequiredMark(control)}</legend>
${checkboxItems.join('\n')}${renderFault(control)}
</fieldset>`
}

function renderSelect({ options, values, language }: FormControl, attributes: string): string {
  const optionItems = options.map((option) => {
    const isChosen = values[0] === option ? ' selected' : ''
    return `<option${isChosen}>${escapeHtml(option)}</option>`
  })
  return `<select ${attributes}>
<option value="">${formPageTexts.nothing[language]}</option>
${optionItems.join('\n')}
</select>`
}

function renderControl(control: FormControl): string {
  const { id, type, label, values, required } = control
  if (type === 'multipleSelectList') return renderCheckboxes(control)
  const attributes = `id="f${id}" name="${id}"${required ? ' required' : ''}${renderStateAttributes(control)}`
  const value = escapeHtml(values[0] ?? '')
  const controlElement =
    type === 'singleSelectList'
      ? renderSelect(control, attributes)
      : type === 'textArea'
        ? // Browsers ignore the first line break of a textarea.
          `<textarea ${attributes} rows="5" maxlength="65000">\n${value}</textarea>`
        : `<input ${inputAttributes[type]} ${attributes} value="${value}">`
  return `<div class="field"><label for="f${id}">${escapeHtml(label)}${renderRequiredMark(control)}</label>
${controlElement}${renderFault(control)}</div>`
}

function toControl(
  { field, label, required, options }: FormQuestion,
  { answers, faults, language }: RenderedForm,
): FormControl {
  const { id, type } = field
  const fault = faults.get(id)
  return {
    id,
    type,
    options,
    required,
    language,
    label: selectFormText(label, language),
    values: answers.get(id) ?? [],
    fault: fault && formFaultText(fault, type, language),
  }
}

function renderParagraph(text: string): string {
  return text === '' ? '' : `<p class="text">${escapeHtml(text)}</p>\n`
}

/** Renders the page of a form: 200, or 422 with the faults next to the fields. Works without scripts. */
export function renderFormPage(renderedForm: RenderedForm): RecipientPage {
  const { form, questions, faults, language, account } = renderedForm
  const controls = questions.map((question) => renderControl(toControl(question, renderedForm)))
  const alertHtml = faults.size === 0 ? '' : `<p class="fault" role="alert">${formPageTexts.faulty[language]}</p>\n`
  const body = `${renderParagraph(selectFormText(form.introduction, language))}${alertHtml}<form method="post" accept-charset="utf-8">
${controls.join('\n')}
<div class="trap" aria-hidden="true"><label for="${FORM_HONEYPOT_FIELD}">${formPageTexts.honeypot[language]}</label><input id="${FORM_HONEYPOT_FIELD}" name="${FORM_HONEYPOT_FIELD}" tabindex="-1" autocomplete="off"></div>
<button>${escapeHtml(selectFormText(form.submitLabel, language))}</button>
</form>`
  const status = faults.size === 0 ? 200 : 422
  return renderRecipientPage({ status, language, account, heading: selectFormText(form.title, language), body })
}

/** The page that confirms that the answers were stored. */
export function renderAnsweredPage({
  form,
  language,
  account,
}: Pick<RenderedForm, 'form' | 'language' | 'account'>): RecipientPage {
  const body = `<p class="text" role="status">${escapeHtml(selectFormText(form.successMessage, language))}</p>`
  return renderRecipientPage({ status: 200, language, account, heading: selectFormText(form.title, language), body })
}
