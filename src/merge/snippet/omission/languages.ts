/** The words with which a language says that code was left out. An entry with `*` is the start of a word. */
export interface Vocabulary {
  /** What is left out: the rest, what remains, what exists. */
  readonly rest: string;
  /** Other, earlier, all: says so only together with dots, or with a word of `same`. */
  readonly other: string;
  /** Things that can be left out. */
  readonly code: string;
  /** Says so by itself: unchanged, omitted. */
  readonly omitted: string;
  /** The same, keep: says so about the rest. */
  readonly same: string;
  /** Negations, which say so with a word of `change`. */
  readonly no: string;
  readonly change: string;
  /** As, which says so with a word of `before`. */
  readonly as: string;
  readonly before: string;
  /** Words without a bearing on the question. */
  readonly glue: string;
}

/** Words have blanks between them. Accents and case do not count. */
export const spacedLanguages: Readonly<Record<string, Vocabulary>> = {
  de: {
    rest: 'rest restes restlich* übrig* verbleibend* bestehend* vorhanden* existierend* verbliebene*',
    other: 'ander* weiter* sonstig* bisherig* vorherig* ursprünglich* alles alle',
    code: 'code codes quellcode* quelltext* datei* funktion* methode* klasse* inhalt* implementierung* komponente* modul* import* test* konfiguration* abschnitt* zeile* eintr* feld* eigenschaft* programm* route* definition* deklaration* vorlage* skript* dokument* teil* block* hilfsfunktion* konstante* variable* typen',
    omitted: 'unverändert* ausgelassen* weggelassen* gekürzt* unangetastet* unberührt*',
    same: 'gleich* identisch* beibehalten* erhalten behalten selbe* dasselbe derselbe dieselbe* so',
    no: 'keine* kein ohne nicht* nichts',
    change: 'änderung* geändert* verändert* ändert anpassung* angepasst*',
    as: 'wie',
    before: 'bisher vorher zuvor gehabt oben ist war',
    glue: 'der die das den dem des ein eine einen von vom im in und hier unten oben bleibt bleiben ist sind wird werden wurde wurden folgt steht auch noch es dieser dieses diese dieselben aus platzgründen wurden hat sich an zur',
  },
  fr: {
    rest: 'reste restant* existant* actuel*',
    other: 'autre* précédent* original* tout tous toute toutes',
    code: 'code fichier* fonction* méthode* classe* contenu* implémentation* composant* module* import* importation* test* configuration* section* partie* ligne* champ* propriété* route* définition* script* constante* variable* types déclaration* corps suite',
    omitted: 'inchangé* omis* tronqué* abrégé* intact*',
    same: 'identique* pareil* même* conservé* conserve* garder gardez laisser laissez conserver demeure* restent',
    no: 'sans aucun* pas rien',
    change:
      'changement* modification* modifié modifiée modifiés modifiées changé changée changés changées',
    as: 'comme tel telle tels telles',
    before: 'avant dessus précédemment quel quelle quels quelles',
    glue: "le la les l du de des d dans à au aux et est sont reste ne n un une ici ci ce cette ces qui que n'a a été pour autre s y",
  },
  es: {
    rest: 'resto restante* existente* actual*',
    other: 'otro* otra* demás anterior* previo* previa* original* todo*',
    code: 'código* archivo* fichero* función* funciones método* clase* contenido* implementaci* componente* módulo* importaci* import* imports prueba* test* configuraci* sección* secciones parte* línea* campo* propiedad* ruta* definici* script* constante* variable* tipos cuerpo',
    omitted: 'omitido* omitida* inalterad* truncad* intacto* intacta*',
    same: 'igual* mismo* misma* permanece* mantiene* mantener mantén conserva* queda* sigue*',
    no: 'sin ningún ninguna no nada',
    change: 'cambio* cambia cambian cambiad* modificaci* modificad* alteraci*',
    as: 'como',
    before: 'antes estaba arriba',
    glue: 'el la los las lo de del en y que se un una su aquí es está están son por brevedad ha han sido va al este esta para',
  },
  pt: {
    rest: 'resto restante* existente* atual atuais',
    other: 'outro* outra* demais anterior* original* originais tudo todo* toda*',
    code: 'código* arquivo* ficheiro* função funções método* classe* conteúdo* implementaç* componente* módulo* importaç* import* teste* configuraç* seção seções secção parte* linha* campo* propriedade* rota* definiç* script* constante* variáve* tipos corpo',
    omitted: 'omitido* omitida* inalterad* truncad* intacto* intacta*',
    same: 'igual iguais mesmo* mesma* permanece* mantém manter mantenha mantido* mantida* continua* fica*',
    no: 'sem nenhum* não nada',
    change: 'alteraç* alterad* mudança* muda modificaç* modificad*',
    as: 'como',
    before: 'antes estava acima',
    glue: 'o a os as do da dos das de em no na nos nas e que se um uma aqui é está estão são por brevidade foi foram ao este esta para',
  },
  it: {
    rest: 'resto restante* restanti rimanente* rimanenti esistente* esistenti attuale* attuali',
    other: 'altro* altri altre altra precedente* precedenti originale* originali tutto tutti tutte',
    code: 'codice file funzion* metod* class* contenut* implementazion* component* modul* import* importazion* test* configurazion* sezion* part* righ* riga camp* propriet* definizion* script* costant* variabil* tipi corpo',
    omitted: 'omess* invariat* inalterat* tralasciat* immutat* intatt*',
    same: 'ugual* stess* identic* rimane rimangono resta restano mantien* mantenere conserva*',
    no: 'senza nessun* non nulla',
    change: 'modifica modifiche modificat* cambiament* variazion* cambia cambiano cambiat*',
    as: 'come',
    before: 'prima sopra',
    glue: 'il lo la i gli le l del della dei degli delle dell di da in e che è sono qui un una per brevità al questo questa ed viene',
  },
  ru: {
    rest: 'остальн* оставш* остаток существующ* имеющ* текущ*',
    other: 'друг* проч* предыдущ* прежн* исходн* остается остаётся все всё весь',
    code: 'код кода коде кодом файл* функци* метод* класс* част* содержим* импорт* тест* компонент* модул* настройк* реализаци* строк* поле поля полей свойств* конфигураци* маршрут* определени* скрипт* констант* переменн* тип* тело раздел*',
    omitted: 'неизмен* пропущен* опущен* сокращен* нетронут*',
    same: 'прежним* остается остаются остаётся оставить оставлен* сохранен* сохраняется такой такая такие так то также тот самый',
    no: 'без не нет ничего никаких',
    change: 'изменени* изменен* изменил* меняется меняются правок поменял*',
    as: 'как',
    before: 'есть было раньше прежде был выше',
    glue: 'в во и из на с для этот этого этой эта эти весь всего всё все же что здесь тут далее ниже дальше идет идёт были',
  },
};

/** Words stand without blanks, or with particles joined to them: the text is split at the longest known words. */
export const joinedLanguages: Readonly<Record<string, Vocabulary>> = {
  zh: {
    rest: '其余 其餘 剩余 剩餘 余下 餘下 剩下 现有 現有 已有 原有 既有 原来 原來 原本 已存在 现存 現存',
    other: '其他 其它 以前 之前 原始 此前 全部 所有 前面 后面 後面 后续 後續',
    code: '代码 代碼 程式碼 程式 源码 原始碼 函数 函式 函數 方法 类 類別 类别 部分 内容 內容 文件 檔案 档案 配置 设置 設定 设定 导入 導入 匯入 引入 组件 組件 元件 模块 模塊 模組 实现 實現 實作 测试 測試 字段 欄位 属性 屬性 路由 样式 樣式 定义 定義 变量 變數 行 段落 章节 地方 模板 接口 常量 脚本 腳本 逻辑 邏輯 处理逻辑 處理邏輯',
    omitted:
      '不变 不變 省略 略 从略 從略 略去 略过 未变 未變 未改动 未改動 未修改 未更改 无变化 無變化 无改动 無改動 无修改 無修改 无更改 没有变化 沒有變化 没有改动 没有修改 不做修改 不作修改 不做改动 中略 以下略 前略 后略 後略 维持原样 維持原樣 保持原样 保持原樣 照旧 照舊',
    same: '无需修改 無需修改 不需要修改 无需改动 不改动 不修改 相同 一样 一樣 同上 同前 如前 保留 不动 不動 一致 保持 维持 維持',
    no: '',
    change: '',
    as: '',
    before: '',
    glue: '的 都 均 和 与 與 及 以下 以上 以及 上面 下面 此处 此處 这里 這裡 为 為 了 是 在 已 被 仍 仍然 则 則 等 请 請 中间 中間 中 同样 同樣 也 将 將 该 該 本 此 不再 重复 重複 这部分 這部分',
  },
  ja: {
    rest: '残り 残りの 既存 現在 現行 以降 これ以降 これより下 これより上',
    other: 'その他 そのほか 他 ほか 以前 従来 元 もと 元々',
    code: 'コード ソースコード ソース 関数 メソッド クラス 実装 部分 内容 ファイル 設定 インポート インポート文 テスト コンポーネント モジュール ロジック 定義 変数 フィールド プロパティ 記述 ルート スタイル スクリプト 箇所 メンバー 行',
    omitted:
      '省略 略 中略 以下略 前略 後略 割愛 変更なし 変更無し 変更無 変更ありません 変更はありません 変更がない 変わらず 変わらない 変わりません 変わりなし 未変更 不変 以下省略 以下同様',
    same: '変更しない 変更せず 変更しません 同じ 同様 そのまま 維持 保持 残す 残します 同一',
    no: '',
    change: '',
    as: '',
    before: '',
    glue: 'の は が を に へ と も や で です ます する します した しました して います いる ください だ である なので ので 全て すべて 全部 ここ ここに ここから から まで など 等 という な 以下 上記 下記 処理 について',
  },
  ko: {
    rest: '나머지 기존 남은 현재',
    other: '다른 기타 그외 이외 이전 원래 모든',
    code: '코드 소스 함수 메서드 메소드 클래스 부분 내용 파일 구현 설정 임포트 컴포넌트 모듈 테스트 필드 속성 정의 로직 섹션 라인 줄 변수 상수',
    omitted:
      '생략 이하생략 중략 변경없음 변경사항없음 변경되지않음 변경되지않았음 변화없음 수정없음',
    same: '변경하지않음 변경안함 수정하지않음 변경없이 그대로 동일 같음 유지 보존 똑같음',
    no: '',
    change: '',
    as: '',
    before: '',
    glue: '는 은 이 가 을 를 의 도 와 과 에 들 여기 여기에 이하 모두 전부 합니다 됩니다 함 됨 하세요 입니다 한다 된다 하고 된 하기 하게 위 위와 와같이 임 다 로 으로 사항 며 니다 있는 있던 했습니다 되었습니다',
  },
};

/** Ends a list rather than a sentence: `# etc.`, without blanks and dots. */
export const andSoOn: ReadonlySet<string> = new Set(
  'etc etcetera andsoon andsoforth usw undsoweiter ecc итд итп 等等 など 등등'.split(' '),
);
