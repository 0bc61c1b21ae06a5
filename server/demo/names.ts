/** Names of people and streets by language. Family names have the same form for women and men. */
export const names = {
  en: {
    given: splitWords(
      'Amelia Olivia Isla Grace Freya Harriet Imogen Niamh Rhiannon Sophie Victoria Zoë Priya Eleanor Maisie Siân',
      'Oliver George Arthur Harry Alfie Callum Dylan Edward Hamish Jack Oscar Rhys Samuel Thomas Imran William',
    ),
    family: splitWords(
      'Smith Jones Taylor Brown Williams Wilson Johnson Davies Robinson Wright Thompson Evans Walker White Roberts Green',
      'Hall Wood Jackson Clarke Patel Khan Lewis Murphy MacDonald Campbell Fitzgerald O’Connor Featherstonehaugh Whittaker Okafor',
    ),
    streets: ['High Street', 'Station Road', 'Church Lane', 'Victoria Road', 'Mill Lane', 'Queen’s Crescent'],
  },
  de: {
    given: splitWords(
      'Anna Johanna Katharina Lea Mia Charlotte Friederike Gisela Hannelore Jördis Käthe Lieselotte Marlene Renate Ursula Elif',
      'Björn Finn Jürgen Lukas Götz Heinrich Jonas Karl Leon Matthias Moritz Sören Thorsten Wolfgang Yusuf Maximilian',
    ),
    family: splitWords(
      'Müller Schmidt Schneider Fischer Weber Meyer Wagner Becker Schulz Hoffmann Schäfer Koch Bauer Richter Klein Wolf',
      'Schröder Neumann Schwarz Zimmermann Braun Krüger Hofmann Groß Weiß König Jäger Yılmaz Böhm Winkelmann Lindenbäumer',
    ),
    streets: ['Hauptstraße', 'Bahnhofstraße', 'Goethestraße', 'Am Mühlbach', 'Lindenallee', 'Schloßplatz'],
  },
  fr: {
    given: splitWords(
      'Camille Chloé Élodie Jeanne Léa Manon Noémie Océane Renée Solène Zoé Anaïs Brigitte Françoise Inès Maëlys',
      'Antoine Benoît Clément Étienne François Gaël Hugo Jérôme Loïc Mathéo Noël Quentin Rémi Théo Yann Sébastien',
    ),
    family: splitWords(
      'Martin Bernard Thomas Petit Robert Richard Durand Dubois Moreau Laurent Simon Michel Lefèvre Leroy Roux David',
      'Bertrand Morel Fournier Girard Bonnet Dupont Lambert Fontaine Rousseau Beaulieu Benali Faure Mercier Blanchet Châtelain',
    ),
    streets: ['rue de la République', 'rue Victor-Hugo', 'avenue Jean-Jaurès', 'place du Marché'],
  },
  es: {
    given: splitWords(
      'Ana Begoña Carmen Dolores Inés Itziar Lucía María Martina Nuria Paula Rocío Sofía Valeria Ximena Yolanda',
      'Álvaro Andrés Daniel Diego Gonzalo Hugo Íñigo Javier José Martín Mateo Óscar Pablo Raúl Sergio Tomás',
    ),
    family: splitWords(
      'García Rodríguez González Fernández López Martínez Sánchez Pérez Gómez Martín Jiménez Ruiz Hernández Díaz Moreno Muñoz',
      'Álvarez Romero Alonso Gutiérrez Navarro Torres Domínguez Vázquez Ramos Gil Ramírez Serrano Blanco Ibáñez Etxeberria',
    ),
    streets: ['Calle Mayor', 'Calle de Alcalá', 'Avenida de la Constitución', 'Plaza de España'],
  },
  sv: {
    given: splitWords(
      'Agnes Alva Astrid Ebba Elsa Freja Ingrid Karin Linnéa Maja Märta Sigrid Saga Ylva Åsa Leila',
      'Anders Axel Björn Elias Gösta Gustav Hugo Johan Lars Måns Nils Olle Oskar Sten Viggo Åke',
    ),
    family: splitWords(
      'Andersson Johansson Karlsson Nilsson Eriksson Larsson Olsson Persson Svensson Gustafsson Pettersson Jonsson Lindberg',
      'Lindström Åberg Sjöberg Öberg Bergqvist Nyström Holmgren Hedlund Söderlund Ekström Wallin Björklund Haddad',
    ),
    streets: ['Storgatan', 'Kungsgatan', 'Drottninggatan', 'Skolgatan', 'Björkvägen', 'Ågatan', 'Sjövägen'],
  },
  pl: {
    given: splitWords(
      'Agnieszka Anna Beata Ewa Grażyna Hanna Jadwiga Joanna Katarzyna Łucja Magdalena Małgorzata Oliwia Wiesława Zofia Żaneta',
      'Adam Bartłomiej Franciszek Grzegorz Jakub Jan Krzysztof Łukasz Marcin Michał Paweł Piotr Stanisław Szymon Tomasz Wojciech',
    ),
    family: splitWords(
      'Nowak Wójcik Mazur Krawczyk Kaczmarek Zając Król Wróbel Stępień Pawlak Dudek Adamczyk Sikora Baran Szewczyk Pietrzak',
      'Walczak Rutkiewicz Michalak Gołąb Kołodziej Kubiak Włodarczyk Błaszczyk Jóźwiak Żak',
    ),
    streets: ['ul. Długa', 'ul. Mickiewicza', 'ul. Kościuszki', 'ul. Ogrodowa', 'al. Niepodległości'],
  },
  it: {
    given: splitWords(
      'Alessia Aurora Beatrice Chiara Elena Francesca Giulia Ginevra Lucia Martina Matilde Noemi Rosalia Sofia Teresa Vittoria',
      'Alessandro Andrea Carlo Davide Enzo Federico Giovanni Giuseppe Leonardo Lorenzo Luca Matteo Niccolò Pietro Riccardo Tommaso',
    ),
    family: splitWords(
      'Rossi Russo Ferrari Esposito Bianchi Romano Colombo Ricci Marino Greco Bruno Gallo Conti Mancini Costa',
      'Giordano Rizzo Lombardi Moretti Barbieri Fontana Santoro Mariani Rinaldi Caruso D’Angelo Nicolò',
    ),
    streets: ['Via Roma', 'Via Garibaldi', 'Corso Italia', 'Piazza San Marco', 'Via Dante Alighieri'],
  },
  cs: {
    given: splitWords(
      'Adéla Alena Barbora Eliška Hana Jana Kateřina Kristýna Lenka Lucie Markéta Šárka Tereza Veronika Zdeňka Žofie',
      'Adam David František Jakub Jan Jiří Lukáš Matěj Miloš Ondřej Petr Radek Štěpán Tomáš Václav Vojtěch',
    ),
    family: splitWords(
      'Krejčí Kočí Dolejší Hořejší Janů Petrů Martinů Pavlů Matějů Jírů Šerých Tichých Malých Kubů Havlů Škodů',
    ),
    streets: ['Hlavní', 'Nádražní', 'Na Příkopě', 'U Řeky', 'Školní', 'Žižkova'],
  },
  el: {
    given: splitWords(
      'Αικατερίνη Άννα Βασιλική Γεωργία Δήμητρα Ελένη Ζωή Ιωάννα Κωνσταντίνα Μαρία Σοφία Χριστίνα',
      'Αλέξανδρος Γιώργος Δημήτρης Ιωάννης Κώστας Μιχάλης Νίκος Παναγιώτης Σπύρος Χρήστος',
    ),
    family: splitWords(
      'Αθανασίου Αλεξίου Αναγνώστου Αντωνίου Βασιλείου Γεωργίου Δημητρίου Θεοδώρου Ιωάννου Κωνσταντίνου Νικολάου Οικονόμου',
      'Παπαγεωργίου Παπανικολάου Χριστοδούλου',
    ),
    streets: ['Ερμού', 'Σταδίου', 'Λεωφόρος Αθηνών', 'Αγίου Δημητρίου', 'Τσιμισκή'],
  },
  uk: {
    given: splitWords(
      'Анастасія Богдана Ганна Дарина Ірина Катерина Леся Марія Наталія Оксана Олена Ольга Софія Юлія',
      'Андрій Богдан Василь Володимир Дмитро Іван Максим Микола Олександр Остап Сергій Тарас Юрій',
    ),
    family: splitWords(
      'Бондаренко Бойко Гончаренко Давиденко Кравченко Коваль Коваленко Лисенко Марченко Мельник Олійник Петренко Савченко',
      'Ткаченко Шевченко Шевчук',
    ),
    streets: ['вул. Шевченка', 'вул. Лесі Українки', 'вул. Франка', 'просп. Свободи', 'вул. Садова'],
  },
  ja: {
    given: splitWords(
      '葵 結衣 陽菜 美咲 さくら 花子 千尋 恵子 由美 真央',
      '蓮 大翔 陽斗 健太 太郎 誠 翔太 浩 直樹 悠真',
    ),
    family: splitWords('佐藤 鈴木 高橋 田中 伊藤 渡辺 山本 中村 小林 加藤 吉田 山田 佐々木 山口 松本 井上'),
    streets: ['中央', '本町', '桜丘', '緑町', '旭町'],
  },
  zh: {
    given: splitWords('芳 娜 秀英 敏 静 丽 雨欣 梓涵 诗琪 雅婷', '伟 强 磊 军 勇 杰 浩然 子轩 宇航 明'),
    family: splitWords('王 李 张 刘 陈 杨 黄 赵 吴 周 徐 孙 马 朱 胡 欧阳'),
    streets: ['人民路', '中山路', '解放路', '建设路', '南京西路'],
  },
} as const

export function splitWords(...lines: string[]): readonly [string, ...string[]] {
  return lines.join(' ').split(' ') as [string, ...string[]]
}
