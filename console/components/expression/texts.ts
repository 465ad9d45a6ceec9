import { catalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const expressionTexts = catalogue(en, () => import('./fr.ts'))
