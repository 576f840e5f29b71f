/* SPDX-License-Identifier: Apache-2.0 */
/*
 * English words for corpus.c; each list is in order of likelihood.
 */
#ifndef BENCH_WORDS_H
#define BENCH_WORDS_H

static const char nouns[] =
    "man woman person dog cat street table people train boy girl car bus "
    "field tree water plate board building room ball road bed horse bird sign "
    "child bench kitchen grass food beach bear clock truck bathroom plane "
    "giraffe elephant window shirt motorcycle umbrella snow skateboard "
    "surfboard couple cake pizza sandwich chair couch desk laptop zebra boat "
    "phone hand wall floor fence player racket frisbee kite bat toilet sink "
    "mirror vase flower house light sky sheep cow photo picture view group "
    "game wave ski slope hill mountain city park area station track airport "
    "runway bicycle bike helmet hat glass bottle cup bowl knife fork spoon "
    "fruit banana apple orange broccoli carrot salad meat bread cheese donut "
    "computer keyboard mouse monitor screen television remote book shelf "
    "stove oven refrigerator microwave counter cabinet door curtain pillow "
    "blanket lamp rug carpet basket box bag suitcase backpack tie suit dress "
    "jacket coat shoe sock glove scarf hydrant meter pole tower bridge river "
    "lake ocean sand rock stone path sidewalk corner crowd team pitcher "
    "batter catcher umpire court net tennis baseball soccer football "
    "hot-dog sauce dessert chocolate cream coffee tea wine beer candle plant "
    "leaf branch garden yard barn farm forest jungle desert animal puppy "
    "kitten duck goose swan pigeon owl parrot pony donkey goat lamb pig "
    "chicken rooster rabbit squirrel mouse-trap fox wolf deer moose camel "
    "lion tiger leopard monkey gorilla panda koala kangaroo whale dolphin "
    "seal shark fish turtle frog snake lizard crocodile butterfly bee spider "
    "baby toddler kid teenager lady gentleman bride groom soldier officer "
    "chef waiter doctor nurse teacher student worker farmer fisherman sailor "
    "pilot driver rider skier surfer skater snowboarder cyclist runner "
    "musician guitarist drummer dancer actor artist painter photographer "
    "tourist passenger spectator vendor customer clown king queen knight "
    "guitar piano violin drum trumpet flute microphone speaker stage camera "
    "tripod poster painting drawing sketch statue sculpture fountain "
    "monument church cathedral temple mosque castle palace museum library "
    "school hospital hotel restaurant cafe bakery market store shop mall "
    "office factory warehouse garage parking-lot alley avenue highway tunnel "
    "crosswalk intersection traffic-light stop-sign billboard flag banner "
    "balloon toy doll teddy robot puzzle card dice chess trophy medal gift "
    "ribbon wallpaper tile brick wood metal plastic paper cardboard leather "
    "cotton wool silk fur feather shell pearl diamond ring necklace bracelet "
    "earring watch glasses sunglasses mask wig beard mustache ponytail braid "
    "tattoo smile face eye nose ear mouth tooth tongue hair head neck "
    "shoulder arm elbow wrist finger thumb chest back leg knee ankle foot toe "
    "tail wing beak paw hoof horn tusk trunk mane stripe spot shadow "
    "reflection sunset sunrise cloud rain storm lightning rainbow fog mist "
    "star moon sun planet galaxy rocket satellite helicopter glider jet "
    "propeller engine wheel tire saddle bridle leash collar cage aquarium "
    "tank pond stream waterfall cliff canyon cave volcano island harbor dock "
    "pier ferry canoe kayak sailboat yacht raft oar paddle anchor rope chain "
    "ladder staircase elevator balcony roof chimney attic basement hallway "
    "closet drawer dresser nightstand bookcase fireplace radiator fan heater "
    "toaster blender kettle pan pot wok skillet tray platter napkin apron "
    "recipe soup stew rice pasta noodle taco burger fries steak bacon egg "
    "pancake waffle syrup butter jam honey yogurt cereal milk juice lemonade "
    "soda cocktail tomato potato onion garlic pepper cucumber lettuce spinach "
    "cabbage cauliflower mushroom corn pea bean pumpkin squash lemon lime "
    "grape cherry strawberry blueberry raspberry peach pear plum mango "
    "pineapple coconut melon avocado olive nut almond walnut peanut cookie "
    "muffin cupcake pie tart brownie croissant bagel pretzel popcorn candy "
    "lollipop gum icecream sprinkle frosting tractor plow wagon cart sleigh "
    "carriage scooter moped van taxi limousine ambulance firetruck bulldozer "
    "crane forklift trailer camper tent sleeping-bag lantern campfire grill ";

static const char more_nouns[] =
    "hammock swing slide sandbox playground carousel rollercoaster ferris "
    "stadium arena gym pool diving-board goal hoop puck hockey golf bowling "
    "volleyball rugby cricket lacrosse archery fencing wrestling karate yoga "
    "trampoline treadmill dumbbell whistle scoreboard podium tunic kimono "
    "sari turban kilt poncho vest sweater hoodie jeans shorts skirt blouse "
    "uniform costume swimsuit bikini robe pajamas slipper sandal boot sneaker "
    "heel purse wallet key lock hammer saw drill wrench screwdriver nail "
    "screw bolt shovel rake hoe axe bucket broom mop sponge soap shampoo "
    "toothbrush toothpaste comb brush razor towel hairdryer scissors needle "
    "thread button zipper pen pencil crayon marker eraser ruler notebook "
    "envelope stamp letter newspaper magazine map globe calendar compass "
    "telescope microscope thermometer syringe bandage wheelchair crutch "
    "stretcher cradle stroller crib rattle pacifier bib highchair diaper "
    "daisy tulip sunflower orchid lily violet dandelion cactus fern moss ivy "
    "bamboo palm oak pine maple willow birch acorn pinecone mushroom-cap "
    "squid octopus crab lobster shrimp oyster jellyfish starfish seahorse "
    "penguin pelican flamingo ostrich peacock eagle hawk falcon vulture raven "
    "sparrow robin hummingbird woodpecker toucan hedgehog raccoon badger "
    "otter beaver skunk bat-wing mole armadillo sloth lemur baboon hyena "
    "cheetah jaguar rhinoceros hippopotamus antelope bison buffalo yak llama "
    "alpaca ";

static const char adjectives[] =
    "white large red black small blue green young brown yellow old wooden "
    "little big tall orange gray pink two long parked empty open colorful "
    "different sunny busy dirty grassy purple striped beautiful clean dark "
    "bright snowy wet metal stuffed several cute happy fresh sliced grilled "
    "fried baked cooked ripe half-eaten hot cold frozen tiny huge giant short "
    "narrow wide deep shallow high low round square oval flat curved broken "
    "rusty vintage antique modern ornate plain fancy elegant shabby cozy "
    "messy cluttered tidy crowded quiet calm rough rocky sandy muddy dusty "
    "foggy cloudy stormy rainy windy misty golden silver bronze beige ivory "
    "turquoise teal maroon navy crimson scarlet lavender violet-colored "
    "pastel neon shiny matte glossy transparent blurry fuzzy furry fluffy "
    "woolly hairy bald bearded smiling laughing sleeping sleepy hungry "
    "thirsty tired lonely angry sad playful curious brave shy gentle fierce "
    "wild tame stray elderly middle-aged handsome pretty lovely adorable "
    "muscular slim chubby barefoot shirtless masked hooded uniformed "
    "spotted checkered plaid polka-dotted floral patterned painted carved "
    "woven knitted embroidered quilted leather-bound stacked scattered piled "
    "folded crumpled torn worn faded weathered peeling cracked chipped "
    "polished stained glazed frosted decorated illuminated lit unlit shaded "
    "leafy blooming blossoming bare dead dry lush tropical rural urban "
    "suburban industrial historic ancient medieval gothic baroque victorian "
    "asian african european american chinese japanese indian mexican italian "
    "french british russian brazilian scandinavian black-and-white sepia "
    "grainy panoramic aerial underwater close-up low-resolution wide-angle "
    "backlit monochrome abstract surreal minimalist cubist impressionist ";

static const char actions[] =
    "sitting standing holding riding walking playing wearing looking flying "
    "eating laying parked driving hanging running posing grazing jumping "
    "skiing surfing swinging throwing catching hitting talking using working "
    "lying sleeping waiting watching traveling carrying cutting cooking "
    "preparing serving drinking reading writing typing drawing painting "
    "smiling laughing crying shouting singing dancing swimming diving "
    "floating sailing rowing paddling fishing climbing crawling leaning "
    "kneeling squatting bending stretching reaching pointing waving clapping "
    "hugging kissing feeding petting brushing washing drying folding sewing "
    "knitting building fixing repairing digging planting watering picking "
    "chopping peeling mixing pouring stirring baking grilling frying tasting "
    "biting chewing licking sniffing barking chasing fetching herding "
    "pulling pushing dragging lifting loading unloading stacking sorting "
    "racing speeding turning crossing stopping boarding landing taxiing "
    "taking-off hovering circling perching nesting grooming bathing drooling "
    "yawning stretching-out snowboarding skateboarding skating bicycling "
    "balancing juggling kicking dribbling batting pitching bowling serving-up "
    "celebrating marching parading protesting gathering shopping selling "
    "paying waiting-around staring gazing peeking hiding resting relaxing "
    "meditating exercising grinding sliding rolling spinning flipping "
    "shining glowing dripping melting steaming burning smoking exploding ";

static const char places[] =
    "on@the@beach in@the@background on@a@table in@front@of@a@building in@a@"
    "field on@the@street in@the@water next@to@a@tree at@night in@the@snow on@"
    "top@of@a@hill in@the@grass down@the@street near@the@ocean in@a@kitchen "
    "on@a@sunny@day in@the@sky under@an@umbrella by@the@road at@the@park in@"
    "the@rain at@a@train@station in@a@living@room beside@a@lake in@the@city "
    "on@a@wooden@floor at@a@restaurant in@the@woods on@the@side@of@the@road "
    "across@the@river during@the@day at@sunset in@the@dark behind@a@fence "
    "between@two@cars over@the@mountains through@a@window inside@a@museum "
    "outside@a@cafe near@a@harbor at@the@zoo in@an@open@market on@a@runway "
    "against@a@brick@wall along@a@dirt@path in@the@style@of@a@poster from@"
    "above with@mountains@behind@it on@a@plate on@a@white@background with@"
    "lots@of@people@around in@black@and@white for@sale below@a@bridge ";

static const char relations[] =
    "on in with near of next@to in@front@of by under behind at beside over "
    "above between around across inside below against along onto through "
    "towards and without from into beneath atop among past amid ";

static const char openers[] =
    "a a a a a a a the the two there@is@a a@photo@of@a an@image@of@a three a@"
    "picture@of@a some a@group@of several many four a@close@up@of@a the@view@"
    "of@a a@couple@of five one a@painting@of@a this@is@a here@is@a ";

static const char syllables[] =
    "ma ri ka lo na el an to be re sa mi jo da vi le ro ne ra chi ta li ko "
    "mar len sha ber son del ton har wen gri stan ford ley bur dor fen hal "
    "ing ja ki lu mo ny os per qui rus san ter ul ver wil xa yu zo bri cla "
    "fre gar ";

static const char endings[] =
    "like less style shaped ish themed free sized covered ready lover maker "
    "land ware work side top way yard craft proof ology ette ";

#endif
