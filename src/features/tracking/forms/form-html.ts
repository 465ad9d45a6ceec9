import type { FieldType } from '../../contacts/fields/field-schemas.ts'
import type { AnswerFault, Answers, Question } from '../../forms/answers.ts'
import type { Form } from '../../forms/form-schemas.ts'
import { textIn } from '../../forms/form-texts.ts'
import { escapeHtml } from '../../rendering/templates/liquid.ts'
import type { Language } from '../pages/languages.ts'
import { type Page, page } from '../pages/pages.ts'
import { faultText, formTexts } from './form-texts.ts'

/** Name of the hidden field that only robots fill in. */
export const HONEYPOT_FIELD = 'website'

/** A form with the values of its controls and their faults. */
export interface ShownForm {
  form: Form
  questions: readonly Question[]
  answers: Answers
  faults: ReadonlyMap<number, AnswerFault>
  language: Language
  account: string
}

/** One control of a form. */
interface Control {
  id: number
  type: FieldType
  label: string
  options: readonly string[]
  values: readonly string[]
  required: boolean
  fault: string | undefined
  language: Language
}

const inputs = {
  email: 'type="email" autocomplete="email"',
  phone: 'type="tel" autocomplete="tel"',
  textField: 'type="text" maxlength="1000"',
  numeric: 'type="number" step="any"',
  date: 'type="date"',
} as const

/** The attributes that link a control to its fault. */
function state({ id, fault }: Control): string {
  return fault === undefined ? '' : ` aria-invalid="true" aria-describedby="e${id}"`
}

function mark({ required, language }: Control): string {
  return required ? ` <span class="note">(${formTexts.required[language]})</span>` : ''
}

function faultHtml({ id, fault }: Control): string {
  return fault === undefined ? '' : `\n<p class="fault" id="e${id}">${escapeHtml(fault)}</p>`
}

function checkboxes(control: Control): string {
  const { id, label, options, values } = control
  const boxes = options.map((option) => {
    const isChecked = values.includes(option) ? ' checked' : ''
    return `<label class="box"><input type="checkbox" name="${id}" value="${escapeHtml(option)}"${isChecked}> ${escapeHtml(option)}</label>`
  })
  return `<fieldset${state(control)}><legend>${escapeHtml(label)}${mark(control)}</legend>
${boxes.join('\n')}${faultHtml(control)}
</fieldset>`
}

function select({ options, values, language }: Control, attributes: string): string {
  const choices = options.map((option) => {
    const isChosen = values[0] === option ? ' selected' : ''
    return `<option${isChosen}>${escapeHtml(option)}</option>`
  })
  return `<select ${attributes}>
<option value="">${formTexts.nothing[language]}</option>
${choices.join('\n')}
</select>`
}

function controlHtml(control: Control): string {
  const { id, type, label, values, required } = control
  if (type === 'multipleSelectList') return checkboxes(control)
  const attributes = `id="f${id}" name="${id}"${required ? ' required' : ''}${state(control)}`
  const value = escapeHtml(values[0] ?? '')
  const html =
    type === 'singleSelectList'
      ? select(control, attributes)
      : type === 'textArea'
        ? // Browsers ignore the first line break of a textarea.
          `<textarea ${attributes} rows="5" maxlength="65000">\n${value}</textarea>`
        : `<input ${inputs[type]} ${attributes} value="${value}">`
  return `<div class="field"><label for="f${id}">${escapeHtml(label)}${mark(control)}</label>
${html}${faultHtml(control)}</div>`
}

function controlOf({ field, label, required, options }: Question, { answers, faults, language }: ShownForm): Control {
  const { id, type } = field
  const fault = faults.get(id)
  return {
    ...{ id, type, options, required, language },
    label: textIn(label, language),
    values: answers.get(id) ?? [],
    fault: fault && faultText(fault, type, language),
  }
}

function paragraph(text: string): string {
  return text === '' ? '' : `<p class="text">${escapeHtml(text)}</p>\n`
}

/** The page of a form: 200, or 422 with the faults beside the fields. Works without scripts. */
export function formPage(shown: ShownForm): Page {
  const { form, questions, faults, language, account } = shown
  const controls = questions.map((question) => controlHtml(controlOf(question, shown)))
  const alert = faults.size === 0 ? '' : `<p class="fault" role="alert">${formTexts.faulty[language]}</p>\n`
  const body = `${paragraph(textIn(form.introduction, language))}${alert}<form method="post" accept-charset="utf-8">
${controls.join('\n')}
<div class="trap" aria-hidden="true"><label for="${HONEYPOT_FIELD}">${formTexts.honeypot[language]}</label><input id="${HONEYPOT_FIELD}" name="${HONEYPOT_FIELD}" tabindex="-1" autocomplete="off"></div>
<button>${escapeHtml(textIn(form.submitLabel, language))}</button>
</form>`
  const status = faults.size === 0 ? 200 : 422
  return page({ status, language, account, heading: textIn(form.title, language), body })
}

/** The page that confirms that the answers were stored. */
export function answeredPage({ form, language, account }: Pick<ShownForm, 'form' | 'language' | 'account'>): Page {
  const body = `<p class="text" role="status">${escapeHtml(textIn(form.successMessage, language))}</p>`
  return page({ status: 200, language, account, heading: textIn(form.title, language), body })
}
