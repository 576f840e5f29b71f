/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words for corpus.c in other languages: plain words, in order of likelihood.
 */
#ifndef BENCH_TONGUES_H
#define BENCH_TONGUES_H

#include <stdbool.h>

struct tongue {
	const char *words;
	const char *stop;	/* at the end of a sentence */
	bool joined;		/* written without spaces */
};

static const struct tongue tongues[] = {
	{ "un une le la photo de chat chien noir sur dans avec homme femme "
	  "été forêt fenêtre garçon école château mère près déjà "
	  "où voilà œuvre café crêpe rivière étoile neige maison "
	  "très beau façade ça gâteau l'hôtel d'été vélo route arbre "
	  "table rouge pêcheur ",
	  ".", false },
	{ "ein eine der die das Foto von Hund Katze auf mit Straße Mädchen "
	  "grün über schön Tür Frühling Bäume Schloss Müller Brücke "
	  "groß weiß Küche Kühlschrank Fußball läuft fährt Häuser "
	  "Wald Stadt Regen während für natürlich Grüße spät Käse "
	  "Bücher König ",
	  ".", false },
	{ "una foto de el la un gato perro niño mujer hombre en con sobre "
	  "montaña árbol azul rojo camión pájaro está comiendo jugando "
	  "mañana sueño corazón río señal año calle España pingüino "
	  "lámpara ciudad niña jardín café también detrás después "
	  "música ",
	  ".", false },
	{ "uma foto de um gato cão homem mulher na no com praia coração "
	  "avião maçã pão criança rua mão São João está não você "
	  "então céu água árvore verão irmã estação balões pássaro "
	  "caminhão amanhã português gelo sobre debaixo mesa ",
	  ".", false },
	{ "zdjęcie kot pies na w z mężczyzna kobieta dziecko żółty "
	  "książka łódka źródło ćma śnieg góra ulica dom okno "
	  "święto pięć drzewo jabłko ręka ogród młody stół bułka "
	  "ścieżka gęś wąż późno jest biały czarny ",
	  ".", false },
	{ "fotka pes kočka na v s muž žena dítě žlutý kůň řeka "
	  "město stůl květina příroda děti běží velký malý sníh "
	  "třída modrý letiště dům okno šťastný červený ovoce "
	  "vlak počasí ještě něco ",
	  ".", false },
	{ "fotoğraf kedi köpek ve bir ile üzerinde adam kadın çocuk "
	  "güneş ağaç deniz şehir ışık gökyüzü büyük küçük "
	  "kırmızı yeşil mavi köprü çiçek ekmek süt yağmur kış "
	  "dağ masa öğrenci ışıklı yürüyor oynuyor ",
	  ".", false },
	{ "bức ảnh một con mèo chó trên bàn người đàn ông "
	  "phụ nữ trẻ em đường phố nước biển núi trời "
	  "mưa hoa đẹp xanh đỏ vàng nhà cửa sổ ăn cơm phở "
	  "bò xe máy đạp chạy ngồi đứng cạnh dưới cây ",
	  ".", false },
	{ "kuva koira kissa talo järvi metsä ja mies nainen lapsi "
	  "pöydällä tyttö poika istuu sänky ikkuna hyvää päivää "
	  "yö lumi sää kevät kesä syksy talvi punainen sininen vihreä "
	  "keltainen leipä juusto pyörä hyppää älykäs ",
	  ".", false },
	{ "фото кот собака на столе в с мужчина "
	  "женщина ребёнок улица дом красный "
	  "синий зелёный большой маленький "
	  "снег лес река гора город окно цветы "
	  "машина поезд самолёт птица лошадь "
	  "играет бежит сидит стоит рядом под "
	  "деревом вечером солнце книга "
	  "яблоко ",
	  ".", false },
	{ "фото кіт собака на столі у з чоловік "
	  "жінка дитина вулиця їжак червоний "
	  "синій зелений великий малий сніг "
	  "ліс річка місто вікно квіти поїзд "
	  "літак птах грає біжить сидить поруч "
	  "під дерево сонце яблуко ґанок щастя ",
	  ".", false },
	{ "φωτογραφία γάτα σκύλος και στο "
	  "τραπέζι με άνδρας γυναίκα παιδί "
	  "δρόμος σπίτι κόκκινο μπλε πράσινο "
	  "μεγάλος μικρός χιόνι δάσος ποτάμι "
	  "πόλη παράθυρο λουλούδια τρένο "
	  "θάλασσα ήλιος βιβλίο μήλο ουρανός "
	  "κάτω δίπλα παίζει τρέχει όμορφος ",
	  ".", false },
	{ "صورة قطة كلب على الطاولة في مع رجل "
	  "امرأة طفل شارع بيت أحمر أزرق أخضر "
	  "كبير صغير ثلج غابة نهر جبل مدينة "
	  "نافذة زهور سيارة قطار طائرة طائر "
	  "حصان يلعب يجري يجلس بجانب تحت شجرة "
	  "شمس كتاب تفاحة البحر ",
	  ".", false },
	{ "عکس گربه سگ روی میز در با مرد زن کودک "
	  "خیابان خانه قرمز آبی سبز بزرگ کوچک "
	  "برف جنگل رودخانه کوه شهر پنجره گل "
	  "قطار هواپیما پرنده اسب بازی کتاب "
	  "سیب دریا ",
	  ".", false },
	{ "תמונה חתול כלב על שולחן עם איש אישה "
	  "ילד רחוב בית אדום כחול ירוק גדול קטן "
	  "שלג יער נהר הר עיר חלון פרחים מכונית "
	  "רכבת מטוס ציפור סוס משחק רץ יושב ליד "
	  "תחת עץ שמש ספר תפוח ים ",
	  ".", false },
	{ "तस्वीर बिल्ली कुत्ता "
	  "मेज पर के साथ आदमी औरत "
	  "बच्चा गली घर लाल नीला हरा "
	  "छोटा बर्फ जंगल नदी शहर "
	  "फूल गाड़ी रेल विमान घोडा "
	  "खेल रहा है बैठा नीचे सूरज "
	  "किताब सेब समुद्र और में "
	  "एक का की ",
	  "।", false },
	{ "படம் பூனை நாய் மேசை "
	  "மனிதன் பெண் குழந்தை "
	  "தெரு வீடு சிவப்பு நீலம் "
	  "பச்சை பெரிய சிறிய மலை "
	  "நகரம் பூக்கள் ரயில் "
	  "பறவை குதிரை சூரியன் "
	  "புத்தகம் கடல் ஒரு "
	  "மற்றும் ",
	  ".", false },
	{ "ภาพ แมว สุนัข บน โต๊ะ กับ "
	  "ผู้ชาย ผู้หญิง เด็ก ถนน "
	  "บ้าน สีแดง สีฟ้า ใหญ่ "
	  "เล็ก หิมะ ป่า แม่น้ำ "
	  "ภูเขา เมือง หน้าต่าง "
	  "ดอกไม้ รถไฟ เครื่องบิน "
	  "นก ม้า นั่ง ใต้ ต้นไม้ "
	  "หนังสือ ทะเล กำลัง กิน ",
	  "", true },
	{ "一 只 猫 狗 在 桌子 上 照片 男人 女人 孩子 街道 "
	  "房子 红色 蓝色 绿色 大 小 雪 森林 河 山 城市 "
	  "窗户 花 汽车 火车 飞机 鸟 马 玩 跑 坐 站 旁边 "
	  "下面 树 太阳 书 苹果 海边 的 和 正在 吃 看 ",
	  "。", true },
	{ "一 隻 貓 狗 在 桌子 上 照片 男人 女人 孩子 街道 "
	  "房子 紅色 藍色 綠色 雪 森林 河 城市 窗戶 花 "
	  "汽車 火車 飛機 鳥 馬 玩 跑 旁邊 樹 太陽 書 蘋果 "
	  "海邊 的 與 正在 ",
	  "。", true },
	{ "猫 が の 写真 犬 テーブル に 上 男性 女性 子供 "
	  "道路 家 赤い 青い 緑 大きな 小さな 雪 森 川 山 "
	  "都市 窓 花 カメラ 電車 飛行機 鳥 馬 座って "
	  "いる 走る 隣 木 太陽 本 りんご 海 と を 食べる "
	  "ピザ ベッド ",
	  "。", true },
	{ "고양이 강아지 사진 테이블 위에 있는 남자 여자 "
	  "아이 거리 집 빨간 파란 초록색 큰 작은 눈 숲 강 "
	  "산 도시 창문 꽃 자동차 기차 비행기 새 말 놀고 "
	  "달리는 앉아 옆에 아래 나무 태양 책 사과 바다 "
	  "한 마리 ",
	  ".", false },
	{ "😀 😂 ❤️ 🔥 🎉 👍🏽 🐶 🐱 🌈 ☀️ 🍕 "
	  "🚲 👨‍👩‍👧 🇫🇷 🏖️ love dog cat wow so cute "
	  "best day ever #nofilter ",
	  "!", false },
	{ "ფოტო კატა ძაღლი და "
	  "მაგიდაზე კაცი ქალი "
	  "ბავშვი ქუჩა სახლი "
	  "წითელი ლურჯი մեծ լուսանկար "
	  "կատու շուն սեղան մարդ կին երեխա "
	  "փողոց տուն ծառ արև գիրք ",
	  ".", false },
};

#endif
